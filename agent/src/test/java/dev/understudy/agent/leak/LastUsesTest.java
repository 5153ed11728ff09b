package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.weave.WovenLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** A class that leaks, woven, and those who use it. */
final class LastUsesTest {
    private static final String NAME = LastUsesTest.class.getName();

    private final Survivors survivors = new Survivors(
            NAME + "$Table",
            type -> type.getName().startsWith(NAME + "$"),
            type -> type.getName().equals(NAME + "$Watcher"),
            new ThreadGroup("agent"));
    private Consumer<String> database = any -> {};

    @BeforeEach
    void open() throws Exception {
        UseTransformer transformer = new UseTransformer();
        transformer.watch(Set.of((NAME + "$Table").replace('.', '/'), (NAME + "$Relation").replace('.', '/')));
        ClassLoader loader = new ClassLoader(LastUsesTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.startsWith(NAME + "$")) {
                    return super.loadClass(name, resolve);
                }
                synchronized (getClassLoadingLock(name)) {
                    Class<?> loaded = findLoadedClass(name);
                    return loaded == null ? define(name) : loaded;
                }
            }

            private Class<?> define(String name) {
                byte[] file = WovenLoader.classFile(name);
                byte[] woven = transformer.transform(this, name.replace('.', '/'), null, null, file);
                byte[] bytes = woven == null ? file : woven;
                return defineClass(name, bytes, 0, bytes.length);
            }
        };
        Consumer<Object> made = survivors::made;
        database = cast(Class.forName(NAME + "$Database", true, loader)
                .getConstructor(Consumer.class)
                .newInstance(made));
        Allocations.allow(true);
    }

    @SuppressWarnings("unchecked")
    private static Consumer<String> cast(Object database) {
        return (Consumer<String>) database;
    }

    @AfterEach
    void close() {
        Allocations.allow(false);
        survivors.end();
    }

    @Test
    void whoUsedLastWhatStays_isTold_notWhoUsedItBefore() {
        for (int count = 0; count < 5; count++) {
            run(20, "create", "fill", "drop");
            assertThat(survivors.uses()).as("count %s", count).hasSize(count < 3 ? 0 : 1);
            survivors.counted();
        }
        UseSite use = survivors.uses().get(0);
        assertThat(use.methods()).startsWith(NAME + "$Database#drop", NAME + "$Database#accept");
        assertThat(use.stack().get(0)).contains("Relation.close(LastUsesTest.java:");
        assertThat(use.part()).isCloseTo(1, within(1e-9));
        assertThat(use.survived()).isEqualTo(3 * 20);
        assertThat(use.sampled()).isEqualTo(5 * 20);
        assertThat(survivors.sites().get(0).methods()).startsWith(NAME + "$Database#create");
    }

    @Test
    void whatIsStillUsed_isToldOfNobody() {
        run(20, "create", "drop");
        for (int count = 0; count < 5; count++) {
            run(1, "one");
            survivors.counted();
        }
        assertThat(survivors.uses()).singleElement().satisfies(use -> {
            assertThat(use.methods()).startsWith(NAME + "$Database#drop");
            assertThat(use.survived()).as("all but the one").isEqualTo(19);
            assertThat(use.part()).isCloseTo(19 / 20.0, within(1e-9));
        });
    }

    @Test
    void whatVisitsAllObjects_isNoLastUse() {
        for (int count = 0; count < 6; count++) {
            run(20, "create", "drop");
            run(2, "save");
            survivors.counted();
        }
        assertThat(survivors.uses()).isNotEmpty();
        assertThat(survivors.uses().get(0).methods()).startsWith(NAME + "$Database#drop");
    }

    @Test
    void whatCollectionsAsk_andTheAgent_isNoUse() {
        for (int count = 0; count < 5; count++) {
            run(20, "create", "drop", "hash", "watch");
            survivors.counted();
        }
        assertThat(survivors.uses())
                .singleElement()
                .satisfies(use -> assertThat(use.methods()).startsWith(NAME + "$Database#drop"));
    }

    @Test
    void whatWasNeverUsed_isToldOfNobody() {
        for (int count = 0; count < 5; count++) {
            run(10, "create");
            run(10, "create", "drop");
            survivors.counted();
        }
        assertThat(survivors.uses())
                .singleElement()
                .satisfies(use -> assertThat(use.part()).isCloseTo(0.5, within(1e-9)));
    }

    @Test
    void aUseThatNobodyLookedAt_tellsNothing() {
        run(20, "create", "fill");
        Allocations.allow(false);
        run(1, "drop");
        Allocations.allow(true);
        for (int count = 0; count < 5; count++) {
            survivors.counted();
        }
        assertThat(survivors.uses()).singleElement().satisfies(use -> {
            assertThat(use.methods()).startsWith(NAME + "$Database#fill");
            assertThat(use.survived()).as("of the one nobody knows").isEqualTo(19);
            assertThat(use.part()).as("it is as the others").isCloseTo(1, within(1e-9));
        });
    }

    @Test
    void beyondSomeUsesBetweenTwoCounts_noneIsLookedAt_butForThoseOfOldObjects() {
        LastUses uses = new LastUses(new Stacks(NAME, any -> true, any -> false), new ThreadGroup("agent"));
        List<Object> objects = new ArrayList<>();
        assertThat(missed(uses, objects, LastUses.MOST_LOOKS, false)).isZero();
        assertThat(missed(uses, objects, 10, false)).isEqualTo(10);
        assertThat(missed(uses, objects, LastUses.MOST_LOOKS, true)).isZero();
        assertThat(missed(uses, objects, 10, true)).isEqualTo(10);
        uses.counted(Map.of());
        assertThat(missed(uses, objects, 10, false)).isZero();
        assertThat(missed(uses, objects, 10, true)).isZero();
    }

    private static long missed(LastUses uses, List<Object> objects, int times, boolean old) {
        return IntStream.range(0, times)
                .mapToObj(i -> {
                    Object object = new Object();
                    objects.add(object);
                    Sampled sampled = new Sampled(object, uses);
                    if (old) {
                        sampled.grownOld();
                    }
                    sampled.used();
                    return sampled;
                })
                .filter(Sampled::isMissed)
                .count();
    }

    @Test
    void whenTheTurnIsOver_nobodyIsFollowed() {
        run(20, "create");
        survivors.counted();
        run(20, "create");
        survivors.end();
        long spent = Allocations.spentNanos();
        run(20, "fill", "drop", "one");
        assertThat(Allocations.spentNanos()).isEqualTo(spent);
    }

    private void run(int times, String... commands) {
        IntStream.range(0, times).forEach(i -> List.of(commands).forEach(database));
    }

    /** What only the agent does. */
    public static final class Watcher {
        private Watcher() {}

        static void watch(Table table) {
            table.size();
        }
    }

    /** What a table inherits. */
    public static class Relation {
        private boolean closed;

        void close() {
            closed = true;
        }

        boolean isClosed() {
            return closed;
        }
    }

    /** What stays. */
    public static final class Table extends Relation {
        private final List<Integer> rows = new ArrayList<>();

        void add(int row) {
            rows.add(row);
            if (size() > 100) {
                rows.clear();
            }
        }

        int size() {
            return rows.size();
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    /** Keeps tables for ever. */
    public static final class Database implements Consumer<String> {
        private final Consumer<Object> made;
        private final List<Table> tables = new ArrayList<>();

        public Database(Consumer<Object> made) {
            this.made = made;
        }

        @Override
        public void accept(String command) {
            switch (command) {
                case "create" -> create();
                case "fill" -> fill();
                case "drop" -> drop();
                case "one" -> one();
                case "save" -> save();
                case "hash" -> hash();
                default -> Watcher.watch(last());
            }
        }

        private Table last() {
            return Objects.requireNonNull(tables.get(tables.size() - 1));
        }

        private void create() {
            Table table = new Table();
            tables.add(table);
            made.accept(table);
        }

        private void fill() {
            last().add(1);
        }

        private void drop() {
            last().close();
        }

        private void one() {
            tables.get(0).add(1);
        }

        private void save() {
            for (Table table : tables) {
                if (!table.isClosed()) {
                    table.add(0);
                }
            }
        }

        private void hash() {
            if (!new HashSet<>(tables).contains(last())) {
                throw new IllegalStateException();
            }
        }
    }
}
