package dev.understudy.agent.point;

import dev.understudy.agent.point.FieldVisitor.Access;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Secrets;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WatchedFieldsTest {
    private static final Class<?>[] LOADED = {Cart.class, GiftCart.class, Till.class};

    @Test
    void aField_isWatchedUnderTheNamesOfLoadedSubclassesToo() {
        LivePoint point = watch("total", "writes");
        WatchedFields fields = WatchedFields.of(List.of(point), LOADED);

        assertThat(fields.of(write(Cart.class, "total"))).containsExactly(point);
        assertThat(fields.of(write(GiftCart.class, "total"))).containsExactly(point);
        assertThat(fields.of(write(Till.class, "total"))).isEmpty();
        assertThat(fields.of(write(Cart.class, "id"))).isEmpty();
        assertThat(point.problems()).isEmpty();
    }

    @Test
    void whoeverReads_isToldToThoseAlone_whoAskedForThat() {
        LivePoint writes = watch("total", "writes");
        LivePoint reads = watch("total", "reads");
        LivePoint both = watch("total", "both");
        WatchedFields fields = WatchedFields.of(List.of(writes, reads, both), LOADED);

        assertThat(fields.of(write(Cart.class, "total"))).containsExactly(writes, both);
        assertThat(fields.of(new Access(Opcodes.GETFIELD, Type.getInternalName(Cart.class), "total", "I", 0)))
                .containsExactly(reads, both);
    }

    @Test
    void aFieldThatIsNotThere_isAProblem_untilItIs() {
        LivePoint point = watch("sum", "writes");
        WatchedFields.of(List.of(point), LOADED);

        assertThat(point.problems()).singleElement().asString().startsWith("there is no field sum (expected: one of [");
        point.problem("field", "");
        assertThat(point.problems()).isEmpty();
    }

    @Test
    void fieldsThatCompilersAdd_areNotOffered() {
        LivePoint point = new LivePoint(
                PointSpec.of(Map.of(
                        "id", "w1", "method", Size.class.getName() + "#sum", "at", "reads", "rate", 10, "quota", 10)),
                new Fields(closed -> {}),
                new Secrets(List.of()),
                new Hits());
        WatchedFields.of(List.of(point), new Class<?>[] {Size.class});

        assertThat(point.problems()).containsExactly("there is no field sum (expected: one of [SMALL, litres])");
    }

    @Test
    void onlyClassesThatNameTheField_mayUseIt() {
        WatchedFields fields = WatchedFields.of(List.of(watch("total", "writes")), LOADED);

        assertThat(fields.mayBeUsedIn(Cart.class)).isTrue();
        assertThat(fields.mayBeUsedIn(GiftCart.class)).isTrue();
        assertThat(fields.mayBeUsedIn(Till.class)).isFalse();
        assertThat(fields.mayBeUsedIn(int[].class)).isFalse();
        Runnable nowhere = () -> {};
        assertThat(fields.mayBeUsedIn(nowhere.getClass()))
                .as("its class file can't be read")
                .isTrue();
    }

    private static Access write(Class<?> owner, String name) {
        return new Access(Opcodes.PUTFIELD, Type.getInternalName(owner), name, "I", 0);
    }

    private static LivePoint watch(String field, String at) {
        Map<String, Object> ordered =
                Map.of("id", at, "method", Cart.class.getName() + "#" + field, "at", at, "rate", 10, "quota", 10);
        return new LivePoint(PointSpec.of(ordered), new Fields(closed -> {}), new Secrets(List.of()), new Hits());
    }

    enum Size {
        SMALL;

        final int litres = 1;
    }

    /** Its field is watched. */
    static class Cart {
        int total;
        int id;

        void add(int price) {
            total += price;
        }
    }

    /** Names the field as its own. */
    static final class GiftCart extends Cart {
        void clear() {
            total = 0;
        }
    }

    /** Has a field of that name. */
    static final class Till {
        int total;

        void add(int price) {
            total += price;
        }
    }
}
