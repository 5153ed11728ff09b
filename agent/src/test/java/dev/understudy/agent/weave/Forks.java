package dev.understudy.agent.weave;

/** Methods in which each way can be told by its line. */
final class Forks {
    private final int limit;

    Forks(int limit) {
        if (limit > 3) {
            this.limit = 3;
        } else {
            this.limit = limit;
        }
    }

    static String sign(int n) {
        if (n < 0) {
            return "below";
        }
        return n == 0 ? "none" : "above";
    }

    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch") // each way returns on a line of its own
    static String colour(String name) {
        switch (name) {
            case "red":
                return "warm";
            case "FB":
            case "Ea":
                return "twins";
            default:
                return "cold";
        }
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch") // each way returns on a line of its own
    static int dense(int n) {
        switch (n) {
            case 1:
                return 10;
            case 2:
                return 20;
            case 4:
                return 40;
            default:
                return 0;
        }
    }

    static boolean all(Object a, Object b, long c, double d) {
        return a != null && a == b && c > 7 && d < 0.5;
    }

    static int made(int n) {
        return new Forks(n).limit;
    }

    static long within(int[] numbers) {
        return java.util.Arrays.stream(numbers).filter(n -> n % 2 == 0).count();
    }
}
