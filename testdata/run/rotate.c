int64_t run(int64_t arg) {
	int64_t v[3] = {arg, 2, 3};
	for (int i = 0; i < 1000; i++) {
		int64_t first = v[0];
		memmove(v, v + 1, 2 * sizeof *v);
		v[2] = first;
		if (v[0] > v[2]) {
			int64_t middle = v[1];
			v[1] = v[0];
			v[0] = middle;
		}
	}
	return (int64_t)((uint64_t)v[0] * 10000 + (uint64_t)v[1] * 100 + (uint64_t)v[2]);
}
