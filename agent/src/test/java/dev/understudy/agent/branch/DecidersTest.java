package dev.understudy.agent.branch;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Of what jumps of {@link Till} are told to be decided by. */
final class DecidersTest {
    private static final String TILL = Till.class.getName() + "#";
    private static final String SHELF = Shelf.class.getName() + "#";

    @Test
    void aCall_withWhatItReturns() throws IOException {
        assertThat(jumps("distance").get(0).asked).containsExactly(TILL + "isKnown", SHELF + "has");
    }

    @Test
    void aComparisonOfACallWithAConstant() throws IOException {
        assertThat(jumps("compared").get(0).asked).containsExactly(SHELF + "count");
    }

    @Test
    void aVariable_ifItIsSetOnce() throws IOException {
        assertThat(jumps("kept").get(0).asked).containsExactly(SHELF + "count");
        assertThat(jumps("setTwice").get(1).asked).isEmpty();
    }

    @Test
    void aField_byThoseWhoSetIt_butNoConstructor() throws IOException {
        assertThat(jumps("ready").get(0).setters).containsExactly(TILL + "open");
        assertThat(jumps("ready").get(0).asked).isEmpty();
    }

    @Test
    void aFieldBehindACallOfTheSameClass() throws IOException {
        Decided decided = jumps("viaGetter").get(0);

        assertThat(decided.asked).containsExactly(TILL + "shelf");
        assertThat(decided.setters).containsExactly(TILL + "open");
    }

    @Test
    void whatAMethodOfTheSameClassLooksAtItself() throws IOException {
        assertThat(jumps("both").get(0).asked).containsExactly(TILL + "isFull", SHELF + "count", SHELF + "has");
    }

    @Test
    void aCounterOfTheJdk_byThoseWhoCount() throws IOException {
        Decided decided = jumps("soldOut").get(0);

        assertThat(decided.setters).containsExactly(TILL + "sell", TILL + "refund");
        assertThat(decided.asked).isEmpty();
    }

    @Test
    void aCollectionOfTheJdk_byThoseWhoChangeIt_notByThoseWhoLookAtIt() throws IOException {
        assertThat(jumps("isLow").get(0).setters).containsExactly(TILL + "fill", TILL + "take");
    }

    @Test
    void whatIsLookedUp_isDecidedByTheKeyAsWell() throws IOException {
        assertThat(jumps("lacks").get(0)).isSameAs(Decided.UNKNOWN);
    }

    @Test
    void aCallWhoseArgumentsReadAnotherField_changesTheOneItGoesTo() throws IOException {
        assertThat(jumps("ordered").get(0).setters).containsExactly(TILL + "order");
    }

    @Test
    void aCallOfWhatAVariableHolds_changesNoField() throws IOException {
        assertThat(jumps("isOpen").get(0).setters).isEmpty();
    }

    @Test
    void aSwitch() throws IOException {
        assertThat(jumps("chosen").get(0).asked).containsExactly(SHELF + "count");
    }

    @Test
    void nothingIsToldOfTheJdk_orOfWhatIsReckoned() throws IOException {
        assertThat(jumps("jdk").get(0)).isSameAs(Decided.UNKNOWN);
        assertThat(jumps("reckoned").get(0)).isSameAs(Decided.UNKNOWN);
    }

    @Test
    void methodsThatCallEachOther_endSomewhere() throws IOException {
        assertThat(jumps("even").get(1).asked).contains(TILL + "odd").hasSizeLessThanOrEqualTo(Decided.MOST);
    }

    private static List<Decided> jumps(String method) throws IOException {
        try (InputStream file = Till.class.getResourceAsStream("DecidersTest$Till.class")) {
            ClassReader reader = new ClassReader(Objects.requireNonNull(file).readAllBytes());
            Names names = new Names();
            reader.accept(names, ClassReader.SKIP_CODE);
            return Deciders.of(reader).get(names.all.indexOf(method));
        }
    }

    private static final class Names extends ClassVisitor {
        private final List<String> all = new ArrayList<>();

        Names() {
            super(Opcodes.ASM9);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
            all.add(name);
            return null;
        }
    }

    /** Another class. */
    static final class Shelf {
        boolean has(String article) {
            return !article.isEmpty();
        }

        int count() {
            return 3;
        }
    }

    /** What is read; nobody calls it. */
    @SuppressWarnings({"unused", "StatementSwitchToExpressionSwitch"})
    static final class Till {
        private final AtomicInteger sold = new AtomicInteger();
        private final Map<String, Integer> stock = new HashMap<>();
        private final Map<String, Integer> orders = new HashMap<>();
        private final Set<String> opened = new HashSet<>();
        private @Nullable Shelf shelf;

        Till(Shelf first) {
            shelf = first;
        }

        void open(Shelf next) {
            shelf = next;
        }

        @Nullable
        Shelf shelf() {
            return shelf;
        }

        boolean isKnown(Shelf other, String article) {
            return other.has(article);
        }

        double distance(Shelf other, String article) {
            return isKnown(other, article) ? 0 : 1;
        }

        String compared(Shelf other) {
            return other.count() == 4 ? "four" : "";
        }

        String kept(Shelf other) {
            int count = other.count();
            return count > 0 ? "some" : "";
        }

        String setTwice(Shelf other, boolean more) {
            int count = other.count();
            if (more) {
                count = 7;
            }
            return count > 0 ? "some" : "";
        }

        String ready() {
            if (shelf == null) {
                throw new IllegalStateException("not open");
            }
            return "open";
        }

        String viaGetter() {
            return shelf() == null ? "closed" : "open";
        }

        void sell() {
            sold.incrementAndGet();
        }

        int refund(int count) {
            return sold.addAndGet(-count);
        }

        String soldOut() {
            return sold.get() > 3 ? "sold out" : "";
        }

        void fill(String article, int[] boxes) {
            stock.put(article, boxes.length);
        }

        @Nullable
        Integer take(String article) {
            return stock.remove(article);
        }

        String lacks(String article) {
            return stock.get(article) == null ? "none" : "";
        }

        String isLow() {
            int left = stock.size();
            return left > 2 ? "" : "low";
        }

        void order(String article) {
            orders.put(article, stock.get(article));
        }

        String ordered() {
            return orders.isEmpty() ? "" : "ordered";
        }

        void lend(Set<String> others) {
            Till.show(opened);
            others.add("till");
            Set<String> mine = Till.show(opened);
            others.add(mine.toString());
        }

        static Set<String> show(Set<String> shown) {
            return shown;
        }

        String isOpen() {
            return opened.isEmpty() ? "" : "open";
        }

        boolean isFull(Shelf other) {
            return other.count() > 2 && other.has("bread");
        }

        String both(Shelf other) {
            return isFull(other) ? "full" : "";
        }

        String chosen(Shelf other) {
            switch (other.count()) {
                case 1:
                    return "one";
                case 2:
                    return "two";
                default:
                    return "many";
            }
        }

        String jdk(String article) {
            return article.isEmpty() ? "nothing" : article;
        }

        String reckoned(Shelf other) {
            return other.count() + 1 > 3 ? "more" : "";
        }

        boolean even(int number) {
            return number == 0 || !odd(number - 1);
        }

        boolean odd(int number) {
            return number != 0 && !even(number - 1);
        }
    }
}
