package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/report"
)

func reportCommand() *cobra.Command {
	var format string
	var full bool
	cmd := &cobra.Command{
		Use:   "report BUNDLE",
		Short: "Draw a bundle: text, markdown, html, svg, json or summary",
		Long: `Draws the verdict a bundle holds, and what happened on one axis of time. It judges
nothing; classify does.`,
		Example: `  lockscene report incident.tar.gz --format html > incident.html
  lockscene report incident.tar.gz --format markdown > ticket.md
  lockscene report incident.tar.gz --format summary`,
		Args: exactlyOne("BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := openBundle(args[0])
			if err != nil {
				return err
			}
			b.Scene = classify.Scene(b.Snapshot, b.Verdict)
			return draw(cmd.OutOrStdout(), b, format, full)
		},
	}
	formatFlag(cmd, &format, "text", "markdown", "html", "svg", "json", "summary")
	cmd.Flags().BoolVar(&full, "full", false, fullDrawing)
	return cmd
}

func draw(w io.Writer, b evidence.Bundle, format string, full bool) error {
	switch format {
	case "text":
		o := textOptions(w, "")
		o.Full = full
		if err := report.Text(w, b, o); err != nil {
			return err
		}
		fmt.Fprintln(w)
		return report.Picture(w, b, o)
	case "markdown":
		return report.Markdown(w, b)
	case "html":
		return report.HTML(w, b)
	case "svg":
		return report.SVG(w, b)
	case "json":
		return report.JSON(w, b)
	case "summary":
		_, err := fmt.Fprintln(w, report.Summary(b))
		return err
	}
	return usage("--format %q: text, markdown, html, svg, json or summary", format)
}
