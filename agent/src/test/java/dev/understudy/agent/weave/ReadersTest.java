package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.lock.Nestings;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.lock.LockOrder;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.StampedLock;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.understudy.agent.weave.WovenBank.DIRECTORY;
import static dev.understudy.agent.weave.WovenBank.all;
import static dev.understudy.agent.weave.WovenBank.get;
import static dev.understudy.agent.weave.WovenBank.heldUpTo;
import static dev.understudy.agent.weave.WovenBank.slow;
import static dev.understudy.agent.weave.WovenBank.told;
import static org.assertj.core.api.Assertions.assertThat;

/** What is told of locks that several may read under, and of those that are tried. */
final class ReadersTest {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(101);

    private final Class<?> woven = WovenBank.loaded(Archive.class, new SecondLevel(new BranchDirectory()));
    private Object archive = woven.getConstructor().newInstance();
    private LockOrder order = new LockOrder(Nestings::poll);

    ReadersTest() throws Exception {}

    @BeforeEach
    void forgetNestings() {
        while (Nestings.poll() != null) {
            // of other tests
        }
    }

    @Test
    void whoReads_andWhoWrites_areACycle() throws Exception {
        assertThat(cycles(in("stampedRead", in("desk")), in("desk", in("stampedWrite"))))
                .isEqualTo(1);
        assertThat(cycles(in("viewWrite", in("desk")), in("desk", in("stampedRead"))))
                .isEqualTo(1);
        assertThat(cycles(in("write", in("desk")), in("desk", in("read")))).isEqualTo(1);
        assertThat(cycles(in("read", in("desk")), in("desk", in("write")))).isEqualTo(1);
        assertThat(order.cycles().get(0).steps())
                .extracting(step -> step.type())
                .containsExactlyInAnyOrder(
                        "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock",
                        "java.util.concurrent.locks.ReentrantLock");
    }

    @Test
    void whoOnlyReads_waitsForNobodyWhoOnlyReads() throws Exception {
        for (String read : List.of("read", "readTwice", "stampedRead", "viewRead")) {
            assertThat(cycles(in(read, in("desk")), in("desk", in(read)))).isZero();
        }
    }

    @Test
    void atEachLockOfACycle_oneOfTheTwoWrites() throws Exception {
        assertThat(cycles(in("read", in("stampedRead")), in("stampedRead", in("write"))))
                .isZero();
        assertThat(cycles(in("read", in("stampedRead")), in("stampedWrite", in("read"))))
                .isZero();
        assertThat(cycles(in("read", in("stampedWrite")), in("stampedRead", in("write"))))
                .isEqualTo(1);
    }

    @Test
    void aLockThatBothReadUnder_keepsThemNotApart_asOneThatOneOfThemWritesUnder() throws Exception {
        Callable<?> forth = in("viewRead", in("desk"));
        Callable<?> back = in("desk", in("viewWrite"));
        assertThat(cycles(in("write", forth), in("write", back))).isZero();
        assertThat(cycles(in("read", forth), in("write", back))).isZero();
        assertThat(cycles(in("read", forth), in("read", back))).isEqualTo(1);
    }

    /** Or a circle would be told of with another that was told of before within it. */
    @Test
    void whoeverReads_isNotGoneThroughTwice() throws Exception {
        assertThat(cycles(
                        in("read", in("desk")),
                        in("desk", in("write")),
                        in("read", in("stampedWrite")),
                        in("stampedWrite", in("write"))))
                .isEqualTo(2);
        assertThat(order.cycles()).allSatisfy(cycle -> assertThat(cycle.steps()).hasSize(2));
    }

    @Test
    void whatWasTried_isHeld_andNobodyWaitsForGoodWhereItIs() throws Exception {
        for (String tried : List.of("deskTried", "deskInTime")) {
            assertThat(cycles(in("write", in(tried)), in("desk", in("read")))).isZero();
        }
        for (String tried : List.of("stampedReadTried", "stampedReadInTime")) {
            assertThat(cycles(in("desk", in(tried)), in("stampedWrite", in("desk"))))
                    .isZero();
        }
        for (String tried : List.of("stampedWriteTried", "stampedWriteInTime")) {
            assertThat(cycles(in("desk", in(tried)), in("stampedRead", in("desk"))))
                    .isZero();
        }
        assertThat(cycles(in("deskTried", in("read")), in("write", in("desk")))).isEqualTo(1);
        assertThat(cycles(in("deskInTime", in("read")), in("write", in("desk"))))
                .isEqualTo(1);
        assertThat(cycles(in("stampedReadInTime", in("desk")), in("deskTried", in("stampedWrite"))))
                .isEqualTo(1);
    }

    @Test
    void whoseStampIsConverted_isHeldInTheNewWay_andNobodyWaitsForThat() throws Exception {
        for (String writes : List.of("upgraded", "optimisticWrite")) {
            assertThat(cycles(in(writes, in("desk")), in("desk", in("stampedRead"))))
                    .as(writes)
                    .isEqualTo(1);
            assertThat(cycles(in("desk", in(writes)), in("stampedRead", in("desk"))))
                    .as("nobody waits for good to be %s", writes)
                    .isZero();
        }
        assertThat(cycles(in("upgradedAfter", in("desk")), in("desk", in("stampedRead"))))
                .as("it only read then")
                .isZero();
        assertThat(cycles(in("upgradedAfter", in("desk")), in("desk", in("stampedWrite"))))
                .isEqualTo(1);
        assertThat(cycles(in("downgraded", in("desk")), in("desk", in("stampedRead"))))
                .isZero();
        assertThat(cycles(in("downgraded", in("desk")), in("desk", in("stampedWrite"))))
                .isEqualTo(1);
    }

    @Test
    void whoseStampCannotBeConverted_isHeldAsBefore() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        archive = woven.getConstructor().newInstance();
        Thread other = whileItHolds("stampedRead", () -> done.await(1, TimeUnit.MINUTES));
        ExchangeTraffic.of(in("upgraded", in("desk")));
        ExchangeTraffic.of(in("optimisticWrite", in("read")));
        done.countDown();
        other.join();

        assertThat(Objects.requireNonNull(Nestings.poll()).held())
                .singleElement()
                .satisfies(held -> assertThat(held.isShared()).isTrue());
        assertThat(Nestings.poll()).as("what wasn't got").isNull();
    }

    @Test
    void whatWasTriedInVain_isNotHeld() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread other = whileItHolds("desk", () -> done.await(1, TimeUnit.MINUTES));
        Thread reader = whileItHolds("stampedWrite", () -> done.await(1, TimeUnit.MINUTES));
        for (String tried : List.of("deskTried", "deskInTime", "stampedReadTried", "stampedWriteInTime")) {
            ExchangeTraffic.of(in(tried, in("write")));
        }
        done.countDown();
        other.join();
        reader.join();

        assertThat(Nestings.poll()).isNull();
    }

    @Test
    void whoWrites_mayReadAtOnce() throws Exception {
        ExchangeTraffic.of(in("write", in("read")));

        assertThat(Nestings.poll()).isNull();
    }

    /** Whoever has it then isn't known: it has been given back, as was told. */
    @Test
    void aStampedLockThatAnotherReadsUnder_isHeldNoMoreOnceItWasGivenBack() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread other = whileItHolds("stampedRead", () -> done.await(1, TimeUnit.MINUTES));
        for (String read : List.of("stampedRead", "stampedReadTried", "stampedReadInTime", "viewRead", "optimistic")) {
            ExchangeTraffic.of(() -> {
                in(read).call();
                return in("desk").call();
            });
        }
        ExchangeTraffic.of(in("optimistic", in("desk")));
        done.countDown();
        other.join();

        assertThat(Nestings.poll()).isNull();
    }

    @Test
    void howLongTheyAreHeld_isTold() throws Exception {
        assertHeld("read", "Archive.shelves.readLock()");
        assertHeld("readTwice", "Archive.shelvesToRead");
        assertHeld("readTried", "Archive.shelvesToRead");
        assertHeld("deskTried", "Archive.desk");
        assertHeld("deskInTime", "");
        assertHeld("stampedRead", "Archive.index");
        assertHeld("stampedReadTried", "Archive.index");
        assertHeld("stampedReadInTime", "");
        assertHeld("stampedWrite", "Archive.index");
        assertHeld("stampedWriteTried", "Archive.index");
        assertHeld("stampedWriteInTime", "");
        assertHeld("viewRead", "Archive.indexToRead");
        assertHeld("viewWrite", "Archive.indexToWrite");
    }

    @Test
    void howLongAConvertedStampIsHeld_isToldOfTheConversion() throws Exception {
        for (String way : List.of("upgraded", "downgraded", "optimisticWrite")) {
            assertHeldAt(way + ' ', in(way, slow(10)));
        }
        assertHeldAt("upgradedAfter Archive.index", in("upgradedAfter", slow(10)));
    }

    private static void assertHeldAt(String place, Callable<?> work) throws Exception {
        assertThat(heldUpTo("held ten", work))
                .filteredOn(told -> told.startsWith(place + ' '))
                .containsExactly(all(place, "held ten"));
    }

    private void assertHeld(String way, String lock) throws Exception {
        assertThat(heldUpTo("held ten", in(way, slow(10))))
                .filteredOn(told -> told.startsWith(way + ' '))
                .containsExactly(all(way + ' ' + lock, "held ten"));
    }

    @Test
    void aStampedLockThatAnotherHolds_isWaitedFor() throws Exception {
        Thread asking = Thread.currentThread();
        Object lock = get(archive, "stamped");
        for (String way : List.of("stampedRead", "stampedWrite", "viewRead")) {
            Thread other = whileItHolds("stampedWrite", () -> {
                while (LockSupport.getBlocker(asking) != lock) {
                    Thread.onSpinWait();
                }
                for (long end = System.nanoTime() + WAIT_NANOS; System.nanoTime() - end < 0; ) {
                    LockSupport.parkNanos(WAIT_NANOS);
                }
                return true;
            });
            assertThat(told(in(way))).anyMatch(told -> told.startsWith(way) && told.endsWith(" waited hundred"));
            other.join();
        }
    }

    @Test
    void whatIsTriedAtOnce_isNoWait() throws Exception {
        for (String way :
                List.of("deskTried", "readTried", "stampedReadTried", "stampedWriteTried", "optimisticWrite")) {
            assertThat(told(in(way))).isEmpty();
        }
    }

    @Test
    void wovenMethods_haveTheResultsOfPlainOnes() throws Exception {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(Archive.class.getName()), Set.of());
        for (Class<?> one : List.of(woven, WovenBank.loaded(Archive.class, level))) {
            String[] text = new String[1];
            ExchangeTraffic.of(() ->
                    text[0] = (String) one.getMethod("transcript", int.class).invoke(null, 7));
            assertThat(text[0]).isEqualTo(Archive.transcript(7));
            assertThat(one.getMethod("transcript", int.class).invoke(null, 7)).isEqualTo(text[0]);
        }
    }

    @Test
    void everyClassFileVersion_runs() throws Exception {
        for (int version = 46; version <= Runtime.version().feature() + 44; version++) {
            String name = "v.Read" + version;
            WovenLoader loader =
                    new WovenLoader(any -> false, WovenBank.weaver(new SecondLevel(new BranchDirectory())));
            Class<?> read = loader.define(name, reading(name, version));
            StampedLock lock = new StampedLock();
            Object unit = TimeUnit.SECONDS;
            assertThat(heldUpTo(
                            "held shortly",
                            () -> read.getMethod("run", StampedLock.class, TimeUnit.class)
                                    .invoke(null, lock, unit)))
                    .as("version %d", version)
                    .containsExactly("run  held shortly", "run  held shortly");
            assertThat(lock.isReadLocked() || lock.isWriteLocked()).isFalse();
        }
    }

    /** {@code static int run(StampedLock lock, TimeUnit unit)}, with as little of the stack as that takes. */
    private static byte[] reading(String name, int version) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(version, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
        String owner = "java/util/concurrent/locks/StampedLock";
        String run = "(L" + owner + ";Ljava/util/concurrent/TimeUnit;)I";
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", run, null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.LCONST_1);
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, "tryReadLock", "(JLjava/util/concurrent/TimeUnit;)J", false);
        code.visitVarInsn(Opcodes.LSTORE, 2);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitVarInsn(Opcodes.LLOAD, 2);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, "tryConvertToWriteLock", "(J)J", false);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, "unlockWrite", "(J)V", false);
        code.visitInsn(Opcodes.ICONST_1);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** How many there are in what was done in an archive of its own, each as an exchange. */
    private int cycles(Callable<?>... works) throws Exception {
        archive = woven.getConstructor().newInstance();
        order = new LockOrder(Nestings::poll);
        for (Callable<?> work : works) {
            ExchangeTraffic.of(work);
        }
        order.take();
        return order.cycles().size();
    }

    private Callable<Object> in(String way) {
        return in(way, () -> 1);
    }

    private Callable<Object> in(String way, Callable<?> work) {
        return () -> {
            try {
                return woven.getMethod(way, Callable.class).invoke(archive, work);
            } catch (InvocationTargetException thrown) {
                throw new AssertionError(thrown.getCause());
            }
        };
    }

    /** A thread that works while it holds a lock, which it does already. */
    private Thread whileItHolds(String way, Callable<?> work) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            try {
                in(way, () -> {
                            held.countDown();
                            return work.call();
                        })
                        .call();
            } catch (Exception wrong) {
                throw new AssertionError(wrong);
            }
        });
        other.start();
        held.await();
        return other;
    }
}
