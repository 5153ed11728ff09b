package dev.understudy.agent.weave;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Constructors of many shapes, and lambda expressions. */
public final class Makers {
    private Makers() {}

    /** Makes one of each; a text of what they hold. */
    public static String all(int n) {
        List<String> made = new ArrayList<>();
        made.add(new Order(n).toString() + new Order(n, "x") + new Chosen(n) + new Looping(n).sum);
        made.add(new Plain(n, "p").text + new Guarded(n).problem + new Within(n).new Inner().twice());
        made.add(lazily(n).get()
                + twice(n)
                + new Object() {
                    final int own = Math.abs(n);
                }.own);
        try {
            made.add(new Order(-1).toString());
        } catch (IllegalArgumentException refused) {
            made.add("refused");
        }
        made.add(new MadeProblem(n).getMessage());
        return String.join(" ", made);
    }

    static Supplier<String> lazily(int n) {
        return () -> {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += i;
            }
            return "lazy " + sum;
        };
    }

    private static int twice(int n) {
        IntUnaryOperator twice = x -> x + x + n;
        return twice.applyAsInt(n);
    }

    static class Order {
        private final int n;
        private final List<String> lines;

        Order(int n) {
            this(n, "none");
            lines.add("more");
        }

        Order(int n, String line) {
            if (n < 0) {
                throw new IllegalArgumentException("n: " + n);
            }
            this.n = n;
            this.lines = new ArrayList<>(List.of(line));
        }

        @Override
        public String toString() {
            return n + lines.toString();
        }
    }

    /** Its parent's constructor gets what is chosen, of the parent's own class too. */
    static final class Chosen extends Order {
        private final String text;

        Chosen(int n) {
            super(n > 7 ? new Order(n, "a").n : n, n % 2 == 0 ? new Order(n).toString() : new String(new char[n]));
            this.text = n > 3 ? "large" : "small";
            Objects.requireNonNull(text);
        }

        @Override
        public String toString() {
            return text + super.toString();
        }
    }

    static final class Looping {
        long sum;

        Looping(int n) {
            while (n-- > 0) {
                sum += (long) n * n;
            }
        }
    }

    static final class Guarded {
        String problem = "none";

        Guarded(int n) {
            try {
                problem = String.valueOf(10 / (n % 2));
            } catch (ArithmeticException even) {
                problem = "even";
            }
        }
    }

    /** Only stores. */
    static final class Plain {
        final int n;
        final String text;
        private final long wide = 7;

        Plain(int n, String text) {
            this.n = n;
            this.text = text;
        }

        long wide() {
            return wide;
        }
    }

    static final class Within {
        final int n;

        Within(int n) {
            this.n = n;
        }

        final class Inner {
            private final String text = String.valueOf(n);

            String twice() {
                return text + text;
            }
        }
    }

    static final class MadeProblem extends RuntimeException {
        private static final long serialVersionUID = 1;

        MadeProblem(int n) {
            super("problem " + n);
            addSuppressed(new NotAProblem(n));
        }
    }

    static class NotAProblem extends Exception {
        private static final long serialVersionUID = 1;

        NotAProblem(int n) {
            super(String.valueOf(n));
            fillInStackTrace();
        }
    }
}
