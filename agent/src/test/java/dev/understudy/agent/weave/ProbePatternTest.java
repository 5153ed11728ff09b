package dev.understudy.agent.weave;

import dev.understudy.agent.cache.WovenCache;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What patterns mean, by the probes that weaving gave numbers to. */
final class ProbePatternTest {
    private final WovenLoader loader = new WovenLoader(name -> false);

    @Test
    void aPattern_meansClassesAndMethods() {
        Probe total = new Probe(new WovenClass("com.shop.web.Cart", 0), "total", "()V", false, List.of());
        Probe overloaded = new Probe(new WovenClass("com.shop.Cart", 0), "add", "(Lcom/shop/Item;I)V", true, List.of());

        assertThat(matching(total, overloaded, "com.shop.*Cart#total")).containsExactly(total);
        assertThat(matching(total, overloaded, "com.shop.*")).containsExactly(total, overloaded);
        assertThat(matching(total, overloaded, "*#add")).containsExactly(overloaded);
        assertThat(matching(total, overloaded, "*#add(Item,*")).containsExactly(overloaded);
        assertThat(matching(total, overloaded, "com.shop.Cart")).containsExactly(overloaded);
        assertThat(matching(total, overloaded, "com.shop")).isEmpty();
        assertThat(matching(total, overloaded, "*.Cart#to*l")).containsExactly(total);
        assertThat(matching(total, overloaded, "@*")).isEmpty();
    }

    /** Also the only one of a class, whose probe has no parameters in its name. */
    @Test
    void aConstructor_isNamedByItsParameters() {
        Probe only = new Probe(new WovenClass("com.shop.Cart", 0), "<init>", "(Ljava/util/Date;I)V", false, List.of());
        Probe other = new Probe(new WovenClass("com.shop.Tax", 0), "<init>", "(Ljava/sql/Date;[I)V", true, List.of());
        assertThat(matching(only, other, "com.shop.*#<init>")).containsExactly(only, other);
        assertThat(matching(only, other, "*#<init>(Date,int)")).containsExactly(only);
        assertThat(matching(only, other, "*#<init>(java.sql.Date, int...)")).containsExactly(other);
        assertThat(matching(only, other, "*#<init>(*Date,*)")).containsExactly(only, other);
        assertThat(matching(only, other, "*#<init>(Date)")).isEmpty();
        assertThat(matching(only, other, "*#<init>()")).isEmpty();
    }

    @Test
    void manyStars_costNoTime() {
        String text = "a".repeat(3000);
        assertThat(ProbePattern.globs("*a".repeat(150) + "b", text)).isFalse();
        assertThat(ProbePattern.globs("*a".repeat(150) + "*", text)).isTrue();
    }

    @Test
    void annotations_areKnownOfWovenAndOfKeptClasses(@TempDir Path folder) throws Exception {
        WovenCache cache = WovenCache.open(folder.resolve("cache"), 1);
        byte[] classFile = WovenLoader.classFile(Resource.class.getName());
        for (int round = 0; round < 2; round++) {
            ProbeDirectory directory = new ProbeDirectory();
            assertThat(new Weaver(directory, cache).weave(loader, classFile)).isNotNull();
            assertThat(methods(directory, "@*$Get")).as("round " + round).containsExactly("list");
            assertThat(methods(directory, "@" + Place.class.getName())).containsExactly("list", "remove");
            assertThat(methods(directory, "@*Delete"))
                    .as("kept in the class file only")
                    .containsExactly("remove");
        }
    }

    private static List<Probe> matching(Probe one, Probe other, String pattern) {
        List<Probe> matching = new ArrayList<>(List.of(one, other));
        matching.removeIf(probe -> !ProbePattern.of(pattern).matches(probe));
        return matching;
    }

    private static List<String> methods(ProbeDirectory directory, String pattern) {
        return IntStream.range(1, directory.probes())
                .mapToObj(directory::probe)
                .filter(ProbePattern.of(pattern)::matches)
                .map(Probe::method)
                .toList();
    }

    @Retention(RetentionPolicy.RUNTIME)
    private @interface Get {}

    private @interface Delete {}

    @Retention(RetentionPolicy.RUNTIME)
    private @interface Place {}

    @Place
    static final class Resource {
        @Get
        int list(int from) {
            return from * 31 + from / 7;
        }

        @Delete
        int remove(int from) {
            return from * 17 + from / 3;
        }
    }
}
