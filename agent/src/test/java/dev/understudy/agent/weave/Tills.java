package dev.understudy.agent.weave;

import java.util.concurrent.locks.ReentrantLock;

/** Takes locks where objects are made. */
public final class Tills {
    static final Object LEDGER = new Object();
    static final ReentrantLock VAULT = new ReentrantLock();

    private Tills() {}

    /** One that was made, as text. */
    public static String made(int amount) {
        return new Till(amount).toString() + new Till(amount, "x");
    }

    /** What others hold while one is made. */
    public static Object ledger() {
        return LEDGER;
    }

    static int counted(int amount) {
        synchronized (LEDGER) {
            return amount + 1;
        }
    }

    static synchronized int rounded(int amount) {
        return amount - amount % 2;
    }

    /** Its parent. */
    static class Drawer {
        final int coins;

        Drawer(int coins) {
            this.coins = coins;
        }
    }

    /** Takes two locks behind its parent's constructor, and one while it finds out what that gets. */
    static final class Till extends Drawer {
        private int total;

        Till(int amount) {
            super(amount > 0 ? rounded(counted(amount)) : new Till(counted(amount) - amount, "less").total);
            synchronized (LEDGER) {
                total += coins;
                if (amount == 7) {
                    total++;
                }
            }
            VAULT.lock();
            try {
                total += amount;
            } finally {
                VAULT.unlock();
            }
        }

        Till(int amount, String text) {
            this(amount);
            synchronized (this) {
                total += text.length();
            }
        }

        @Override
        public String toString() {
            return "till " + total;
        }
    }
}
