package dev.understudy.agent.weave;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntUnaryOperator;

/** Takes locks in every way that Java has. */
public final class Bank {
    static final int WAIT_MILLIS = 30;

    private final Object ledger = new Object();
    private final Object audit = new Object();
    private final ReentrantLock vault = new ReentrantLock();
    private final Lock plain = vault;
    private final Condition emptied = vault.newCondition();
    private final ReentrantReadWriteLock rates = new ReentrantReadWriteLock();
    private int total;

    public Object ledger() {
        return ledger;
    }

    public ReentrantLock vault() {
        return vault;
    }

    public int book(int amount) {
        synchronized (ledger) {
            total += amount;
            return total;
        }
    }

    public int bookInLambda(int amount) {
        IntUnaryOperator booking = more -> {
            synchronized (ledger) {
                total += more;
                return total;
            }
        };
        return booking.applyAsInt(amount);
    }

    public int bookAndAudit(int amount) {
        synchronized (ledger) {
            synchronized (audit) {
                total += amount;
            }
            return total;
        }
    }

    public int auditAndBook(int amount) {
        synchronized (audit) {
            return book(amount);
        }
    }

    public int bookTwice(int amount) {
        synchronized (ledger) {
            return book(amount) + book(amount);
        }
    }

    public synchronized int close(int amount) {
        total -= amount;
        return total;
    }

    public int closeFrom(int amount) {
        int before = total;
        return close(amount) + before - before;
    }

    public static synchronized int rounded(int amount) {
        return amount / 10 * 10;
    }

    public int opened(int amount) {
        vault.lock();
        try {
            synchronized (ledger) {
                total += amount;
            }
            return total;
        } finally {
            vault.unlock();
        }
    }

    public int openedTwice(int amount) {
        vault.lock();
        try {
            vault.lock();
            try {
                return total + amount;
            } finally {
                vault.unlock();
            }
        } finally {
            vault.unlock();
        }
    }

    public int bookOrAudit(int amount) {
        synchronized (amount > 0 ? ledger : audit) {
            total += amount;
            return total;
        }
    }

    public int bookAndOpen(int amount) {
        synchronized (ledger) {
            plain.lock();
            try {
                return total + amount;
            } finally {
                plain.unlock();
            }
        }
    }

    public int afterwards(int amount) {
        synchronized (audit) {
            total += amount;
        }
        synchronized (ledger) {
            total += amount;
        }
        vault.lock();
        try {
            return total;
        } finally {
            vault.unlock();
        }
    }

    public boolean tried(int amount) throws InterruptedException {
        if (plain.tryLock(amount, TimeUnit.SECONDS)) {
            plain.unlock();
            return true;
        }
        return false;
    }

    public int rated(int amount) throws InterruptedException {
        rates.readLock().lock();
        try {
            total += amount;
        } finally {
            rates.readLock().unlock();
        }
        rates.writeLock().lockInterruptibly();
        try {
            return total;
        } finally {
            rates.writeLock().unlock();
        }
    }

    /** Throws within its monitors, and from a monitor that is null. */
    public String broken(int how) {
        try {
            synchronized (ledger) {
                synchronized (how == 0 ? nothing() : audit) {
                    if (how == 1) {
                        throw new IOException("one");
                    }
                    for (int i = 0; i < how; i++) {
                        synchronized (ledger) {
                            total++;
                            if (i == 7) {
                                return "seven";
                            }
                        }
                    }
                }
            }
            return "none";
        } catch (IOException | NullPointerException problem) {
            return problem.getClass().getSimpleName() + Thread.holdsLock(ledger) + Thread.holdsLock(audit);
        }
    }

    private static Object nothing() {
        Object[] none = new Object[1];
        return none[0];
    }

    /** Runs while it holds the lock of {@code other} and then its own. */
    public <T> T with(Bank other, Callable<T> work) throws Exception {
        synchronized (other) {
            synchronized (this) {
                return work.call();
            }
        }
    }

    /** Runs while it holds its vault. */
    public <T> T openedWith(Callable<T> work) throws Exception {
        vault.lock();
        try {
            return work.call();
        } finally {
            vault.unlock();
        }
    }

    /** Runs while it holds its vault, which it takes once more inside, for less. */
    public <T> T openedTwiceWith(Callable<T> work) throws Exception {
        vault.lock();
        try {
            opened(1);
            return work.call();
        } finally {
            vault.unlock();
        }
    }

    /** Runs while it holds its own monitor. */
    public synchronized <T> T closedWith(Callable<T> work) throws Exception {
        return work.call();
    }

    /** Runs between two waits, while it holds its ledger, if it isn't interrupted. */
    @SuppressWarnings("WaitNotInLoop") // who wakes up early only waits less
    public <T> T waitedWith(Callable<T> work) throws Exception {
        synchronized (ledger) {
            ledger.wait(WAIT_MILLIS);
            T result = work.call();
            ledger.wait(WAIT_MILLIS, 1);
            return result;
        }
    }

    /** Runs between two waits, while it holds its vault. */
    @SuppressWarnings("WaitNotInLoop") // who wakes up early only waits less
    public <T> T awaitedWith(Callable<T> work) throws Exception {
        vault.lock();
        try {
            emptied.awaitNanos(TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS));
            T result = work.call();
            emptied.await(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            return result;
        } finally {
            vault.unlock();
        }
    }

    /** All of it, with the same results whoever looks. */
    public static String transcript(int seed) throws Exception {
        Bank bank = new Bank();
        StringBuilder text = new StringBuilder();
        for (int i = seed; i < seed + 10; i++) {
            text.append(bank.book(i)).append(' ').append(bank.bookAndAudit(i)).append(' ');
            text.append(bank.auditAndBook(i))
                    .append(' ')
                    .append(bank.bookTwice(i))
                    .append(' ');
            text.append(bank.closeFrom(i))
                    .append(' ')
                    .append(rounded(i))
                    .append(' ')
                    .append(bank.opened(i))
                    .append(bank.openedTwice(i))
                    .append(bank.bookOrAudit(i));
            text.append(bank.bookAndOpen(i))
                    .append(' ')
                    .append(bank.afterwards(i))
                    .append(bank.tried(i));
            text.append(bank.rated(i))
                    .append(bank.broken(i % 10))
                    .append(bank.with(new Bank(), () -> 1))
                    .append('\n');
            text.append(Thread.holdsLock(bank)).append(bank.vault.isLocked()).append(bank.rates.isWriteLocked());
        }
        return text.toString();
    }
}
