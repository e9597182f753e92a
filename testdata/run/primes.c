/* The sieve of Eratosthenes. */
int64_t run(int64_t arg) {
	static char composite[100001];
	int64_t count = 0;
	if (arg > 100000)
		abort();
	memset(composite, 0, sizeof composite);
	for (int64_t n = 2; n <= arg; n++) {
		if (composite[n])
			continue;
		count++;
		for (int64_t m = n * n; m <= arg; m += n)
			composite[m] = 1;
	}
	return count;
}
