int64_t run(int64_t arg) {
	int64_t total = 0;
	for (int64_t n = 2; n <= arg; n++) {
		int64_t sum = 0;
		for (int64_t d = 1; d < n; d++)
			if (n % d == 0)
				sum += d;
		if (sum == n)
			total += n;
	}
	return total;
}
