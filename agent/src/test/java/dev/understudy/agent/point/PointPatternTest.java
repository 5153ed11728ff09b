package dev.understudy.agent.point;

import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import dev.understudy.agent.weave.WeavingTransformer;
import dev.understudy.agent.weave.WovenLoader;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** In which methods of a class a point is woven. */
final class PointPatternTest {
    private static final String BASKET = Basket.class.getName();

    private final Hits hits = new Hits();
    private final PointTransformer transformer = new PointTransformer(new WeavingTransformer(
            ApplicationCode.inPackages(List.of("dev", "com.shop")),
            new Weaver(new ProbeDirectory()),
            new Reach(loader -> {}),
            (name, problem) -> {}));

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "#t* ; total(int) tax(int)",
                "#total ; total(int)",
                "#*ta* ; total(int) tax(int)",
                "#get*(*) ; getToken(String)",
                "#total(i*) ; total(int)",
                " ; total(int) tax(int) getToken(String) "
                        + "<init>(int) <init>(int,String[]) <init>(Formatter) <init>(Entry) <init>(String)"
            })
    void aPattern_isInAllMethodsThatItMeans(String methods, String labels) {
        LivePoint point = live(BASKET.replace("Basket", "B*") + Objects.requireNonNullElse(methods, ""), "exit", null);
        transform(point);
        List<String> expected =
                new ArrayList<>(List.of(labels.replace("(Entry)", "(Map$Entry)").split(" ")));
        if (expected.contains("<init>(Formatter)")) {
            expected.add("<init>(Formatter)"); // of another package
        }
        assertThat(labels(point)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(point.problems()).isEmpty();
    }

    @Test
    void anAnnotation_meansTheMethodsThatHaveIt() {
        LivePoint point = live("@java.lang.Deprecated", "entry", null);
        transform(point);
        assertThat(labels(point)).containsExactly("tax(int)");

        LivePoint none = live("@java.lang.FunctionalInterface", "entry", null);
        assertThat(transform(none)).isNull();
        assertThat(none.isWoven()).isFalse();
    }

    /** A narrower place than the pattern's is no mistake, as long as there is one. */
    @Test
    void methodsThatDontKnowAName_areLeftOut_andThatIsSaid() {
        LivePoint point = live(BASKET + "#t*", "exit", "{rate}");
        transform(point);
        assertThat(labels(point)).containsExactly("tax(int)");
        assertThat(point.problems()).isEmpty();
        assertThat(point.notes()).singleElement().asString().contains("rate isn't known at the exit of total(int)");

        LivePoint nowhere = live(BASKET + "#t*", "exit", "{amount}");
        transform(nowhere);
        assertThat(nowhere.problems()).singleElement().asString().contains("amount isn't known at the exit of t");
    }

    @Test
    void whatAMethodOfAPatternReturns_hasThatMethodsName() {
        LivePoint point = live(BASKET + "#*", "exit", null);
        transform(point);
        point.sites().forEach(site -> {
            @Nullable Object[] seen = new @Nullable Object[site.names().size()];
            int returned = site.names().indexOf("return");
            if (returned >= 0) {
                seen[returned] = "hunter2";
                site.pass(seen, null);
                String shown = Objects.requireNonNull(hits.poll()).values.get("return");
                assertThat(shown).isEqualTo(site.named.equals("getToken") ? "[masked]" : "hunter2");
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "<init>(int) ; <init>(int)",
                "<init>(int, String[]) ; <init>(int,String[])",
                "<init>(int, java.lang.String...) ; <init>(int,String[])",
                "<init>(java.util.logging.Formatter) ; <init>(Formatter)",
                "<init>(java.util.Formatter) ; <init>(Formatter)",
                "<init>(Map.Entry) ; <init>(Map$Entry)",
                "<init>(java.util.Map$Entry) ; <init>(Map$Entry)",
                "total(int) ; total(int)",
            })
    void oneOfSeveralConstructors_isNamedByItsParameters(String method, String label) {
        LivePoint point = live(BASKET + "#" + method, "exit", null);
        transform(point);
        assertThat(labels(point)).containsExactly(label);
    }

    @Test
    void aConstructorThatIsNotThere_isAProblem_thatNamesThoseThatAre() {
        LivePoint point = live(BASKET + "#<init>(long)", "exit", null);
        transform(point);
        assertThat(point.problems())
                .singleElement()
                .asString()
                .contains(
                        "there is no method <init>(long)",
                        "<init>(int), <init>(int,String[]), <init>(java.util.Formatter), "
                                + "<init>(java.util.logging.Formatter), <init>(Map$Entry), <init>(String), "
                                + "total, tax, getToken]");
    }

    @Test
    void aMethodThatWouldBecomeTooLarge_isLeftOutAlone() {
        LivePoint both = live("com.shop.Huge", "entry", null);
        LivePoint large = live("com.shop.Huge#large", "entry", null);
        LivePoint small = live("com.shop.Huge#small", "entry", null);
        for (LivePoint point : List.of(both, large, small)) {
            String name = point.wanted.className.replace('.', '/');
            boolean pattern = point.wanted.pattern != null;
            transformer.points(
                    pattern ? Map.of() : Map.of(name, List.of(point)),
                    pattern ? List.of(point) : List.of(),
                    WatchedFields.NONE);
            transformer.transform(PointPatternTest.class.getClassLoader(), "com/shop/Huge", null, null, huge());
        }

        assertThat(labels(both)).containsExactly("small()");
        assertThat(both.problems()).isEmpty();
        assertThat(both.notes())
                .containsExactly("com.shop.Huge: large() would become too large for the JIT or the class file");
        assertThat(large.isWoven()).isFalse();
        assertThat(large.problems())
                .containsExactly("com.shop.Huge: large() would become too large for the JIT or the class file");
        assertThat(labels(small)).containsExactly("small()");
        assertThat(small.notes()).isEmpty();
    }

    @Test
    void aMethodThatWouldBecomeTooLarge_isLeftOutOfAWatch_andTheOthersAreNot() {
        LivePoint watch = live("com.shop.Huge#count", "writes", null);
        transformer.points(Map.of(), List.of(), WatchedFields.of(List.of(watch), new Class<?>[0]));
        transformer.transform(PointPatternTest.class.getClassLoader(), "com/shop/Huge", null, null, huge());
        assertThat(watch.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.label).contains("Huge#small()"));
        assertThat(watch.problems()).isEmpty();
        assertThat(watch.notes()).singleElement().asString().contains("large() would become too large");
    }

    @Test
    void whatCantBeAPattern_isRefused() {
        assertThatThrownBy(() -> live("from:com.shop.Cart#total", "exit", null))
                .hasMessageContaining("from:com.shop.Cart#total can't be a point's (expected: com.shop.Cart#total, or");
        assertThatThrownBy(() -> live("com.shop.*#total", "writes", null))
                .hasMessage("field: com.shop.*#total (expected: one, such as com.shop.Cart.total)");
        assertThatThrownBy(() -> live("com.shop.Cart#", "exit", null)).hasMessageContaining("expected: com.shop.Cart#");
    }

    private byte @Nullable [] transform(LivePoint point) {
        boolean pattern = point.wanted.pattern != null;
        String name = BASKET.replace('.', '/');
        transformer.points(
                pattern ? Map.of() : Map.of(name, List.of(point)),
                pattern ? List.of(point) : List.of(),
                WatchedFields.NONE);
        return transformer.transform(
                PointPatternTest.class.getClassLoader(), name, null, null, WovenLoader.classFile(BASKET));
    }

    private static List<String> labels(LivePoint point) {
        List<String> labels = new ArrayList<>();
        point.sites().forEach(site -> labels.add(site.label.replaceAll(".*#| (entry|exit)$", "")));
        return labels;
    }

    private LivePoint live(String method, String at, @Nullable String message) {
        Map<String, Object> ordered =
                new HashMap<>(Map.of("id", "p", "method", method, "at", at, "rate", 1000, "quota", 1000));
        if (message != null) {
            ordered.put("message", message);
        }
        return new LivePoint(PointSpec.of(ordered), new Fields(closed -> {}), new Secrets(List.of()), hits);
    }

    /** With a small method and a huge one; both write the field {@code count}. */
    private static byte[] huge() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "com/shop/Huge", null, "java/lang/Object", null);
        writer.visitField(Opcodes.ACC_STATIC, "count", "I", null, null).visitEnd();
        for (String name : List.of("large", "small")) {
            MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, name, "()V", null, null);
            code.visitCode();
            for (int n = 0; n < (name.equals("large") ? 7_995 : 20); n++) {
                code.visitInsn(Opcodes.NOP);
            }
            code.visitInsn(Opcodes.ICONST_1);
            code.visitFieldInsn(Opcodes.PUTSTATIC, "com/shop/Huge", "count", "I");
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** An application's class. */
    @SuppressWarnings({"unused", "InlineMeSuggester"})
    static final class Basket {
        private final Object first;

        Basket(int first) {
            this(String.valueOf(first + 1).repeat(first));
        }

        Basket(int first, String... more) {
            this(more[first] + first);
        }

        Basket(Formatter first) {
            this(first.locale() + "" + first.out());
        }

        Basket(java.util.logging.Formatter first) {
            this(first.getClass() + ":" + first.hashCode());
        }

        Basket(Map.Entry<String, String> first) {
            this(first.getKey() + first.getValue());
        }

        private Basket(String first) {
            this.first = first;
        }

        int total(int coupon) {
            return coupon > 3 ? coupon * 9 : coupon * 10;
        }

        @Deprecated
        int tax(int rate) {
            return rate > 3 ? rate * 7 : rate * 8;
        }

        String getToken(String of) {
            return of.repeat(3) + first;
        }
    }
}
