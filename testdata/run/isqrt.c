int64_t run(int64_t arg) {
	int64_t root = 0;
	for (int bit = 31; bit >= 0; bit--) {
		int64_t next = root + ((int64_t)1 << bit);
		if (next <= 3037000499 && next * next <= arg)
			root = next;
	}
	return root;
}
