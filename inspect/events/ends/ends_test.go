package ends

import (
	"slices"
	"testing"
)

func TestKeeperKeepsBothEnds(t *testing.T) {
	tests := []struct {
		limit, n int
		want     []int
		dropped  int
	}{
		{4, 0, nil, 0},
		{4, 3, []int{0, 1, 2}, 0},
		{4, 4, []int{0, 1, 2, 3}, 0},
		{4, 5, []int{0, 1, 3, 4}, 1},
		{4, 9, []int{0, 1, 7, 8}, 5},
		{0, 2, nil, 2},
		{-1, 1, nil, 1},
	}
	for _, tt := range tests {
		k, lost := New[int](tt.limit), 0
		for i := range tt.n {
			if _, dropped := k.Add(i, i); dropped {
				lost++
			}
		}
		var got []int
		k.Each(func(at, v int) {
			if at != v {
				t.Errorf("entry %d says it stood at %d", v, at)
			}
			got = append(got, v)
		})
		if !slices.Equal(got, tt.want) || k.Dropped() != tt.dropped || lost != tt.dropped {
			t.Errorf("limit %d, %d entries: kept %v, dropped %d, told of %d; want %v, %d", tt.limit, tt.n, got, k.Dropped(), lost, tt.want, tt.dropped)
		}
	}
}
