package dev.understudy.agent.branch;

import dev.understudy.agent.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class SourceLinesTest {
    /** As Kotlin's compiler writes one. */
    private static final String KOTLIN = """
            SMAP
            Errand.kt
            Kotlin
            *S Kotlin
            *F
            + 1 Errand.kt
            errand/ErrandKt
            + 2 Inlined.kt
            errand/InlinedKt
            + 3 _Collections.kt
            kotlin/collections/CollectionsKt___CollectionsKt
            *L
            1#1,183:1
            6#2:184
            7#2,4:187
            1869#3,2:185
            12#1:191
            *S KotlinDebug
            *F
            + 1 Errand.kt
            errand/ErrandKt
            *L
            121#1:184
            121#1:187,4
            122#1:185,2
            *E
            """;

    @Test
    void numbersAboveTheFile_areLinesOfWhatWasInlined() {
        assertThat(lines("Errand.kt", KOTLIN, 1, 121, 183, 184, 185, 186, 187, 190, 191, 192))
                .containsExactly(
                        "",
                        "",
                        "",
                        "6 of Inlined.kt (inlined at line 121)",
                        "1869 of _Collections.kt (inlined at line 122)",
                        "1870 of _Collections.kt (inlined at line 122)",
                        "7 of Inlined.kt (inlined at line 121)",
                        "10 of Inlined.kt (inlined at line 121)",
                        "12 of Errand.kt",
                        "");
        assertThat(read("Errand.kt", KOTLIN).target(187).source).isEqualTo("7 of Inlined.kt");
        assertThat(read("Errand.kt", KOTLIN).line(187).number).isEqualTo(187);
    }

    @Test
    void pages_haveAsManyNumbersForALineAsTheirCompilerNeeds() {
        String page = "SMAP\nindex_jsp.java\nJSP\n*S JSP\n*F\n+ 0 index.jsp\nindex.jsp\n*L\n3,2:80,5\n7:110\n*E\n";
        assertThat(lines("index_jsp.java", page, 79, 80, 84, 85, 89, 90, 110))
                .containsExactly(
                        "",
                        "3 of index.jsp",
                        "3 of index.jsp",
                        "4 of index.jsp",
                        "4 of index.jsp",
                        "",
                        "7 of index.jsp");
    }

    @Test
    void withoutAMap_orWithOneThatSaysNothing_numbersStandForThemselves() {
        for (String map :
                new String[] {null, "", "\n\n\n\n", "SMAP", "SMAP\na\nb\n*S b\n*L\n1#1,5:1\n", "*\n*\n*\n*\n*S"}) {
            assertThat(lines("A.java", map, 0, 1, 5, Integer.MAX_VALUE))
                    .as("%s", map)
                    .containsOnly("");
        }
        assertThat(lines("A.kt", "SMAP\nA\nK\n*S K\n*F\n1 B.kt\n*L\n1#1,999999999:1,999999999\n", Integer.MAX_VALUE))
                .containsExactly("3 of B.kt");
    }

    @Test
    void damagedMaps_areReadAsFarAsTheyAreUnderstood() {
        for (long seed = 0; seed < Fuzz.rounds(2_000); seed++) {
            Random random = new Random(seed);
            StringBuilder map = new StringBuilder(KOTLIN);
            for (int i = random.nextInt(8); i >= 0 && map.length() > 0; i--) {
                int at = random.nextInt(map.length());
                switch (random.nextInt(3)) {
                    case 0 -> map.deleteCharAt(at);
                    case 1 -> map.insert(at, "#:,*+\n 9F".charAt(random.nextInt(9)));
                    default -> map.setLength(at + 1);
                }
            }
            assertThat(lines("Errand.kt", map.toString(), 0, 1, 187, Integer.MAX_VALUE))
                    .as("seed %d", seed)
                    .hasSize(4);
        }
    }

    private static List<String> lines(String source, @Nullable String map, int... numbers) {
        SourceLines lines = read(source, map);
        List<String> told = new ArrayList<>();
        for (int number : numbers) {
            told.add(lines.line(number).source);
        }
        return told;
    }

    private static SourceLines read(String source, @Nullable String map) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, 0, "A", null, "java/lang/Object", null);
        writer.visitSource(source, map);
        writer.visitEnd();
        return SourceLines.of(new ClassReader(writer.toByteArray()));
    }
}
