package dev.understudy.agent.weave;

import dev.understudy.agent.cache.WovenCache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class JdkEditsTest {
    private static final String NAME = "java/util/Timer";
    private static final Map<String, MethodEdit> EDITS =
            Map.of("sched(Ljava/util/TimerTask;JJ)V", (next, slots) -> new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    super.visitInsn(Opcodes.NOP);
                }
            });

    @TempDir
    private Path folder;

    @Test
    void whatWasChanged_isKeptForTheNextRun_byNameAndClassFile() throws IOException {
        byte[] timer = classFile(NAME);
        WovenCache cache = WovenCache.open(folder, 1);
        JdkEdits edits = new JdkEdits(cache, (name, surprise) -> {});
        assertThat(edits.areKept()).isFalse();
        assertThat(edits.kept(null, NAME, false, timer)).isNull();
        byte[] edited = edits.apply(null, NAME, false, timer, EDITS);
        cache.save();

        JdkEdits next = new JdkEdits(WovenCache.open(folder, 1), (name, surprise) -> {});
        assertThat(next.areKept()).isTrue();
        assertThat(next.kept(null, NAME, false, timer)).isEqualTo(edited).isNotEqualTo(timer);
        assertThat(next.kept(null, NAME, true, timer))
                .as("as it looks when it is loaded")
                .isNull();
        assertThat(next.kept(null, "java/util/TimerThread", false, timer)).isNull();
        byte[] other = timer.clone();
        other[other.length - 1]++;
        assertThat(next.kept(null, NAME, false, other)).isNull();
        assertThat(next.kept(JdkEditsTest.class.getClassLoader(), NAME, false, timer))
                .isNull();
    }

    @Test
    void ofOneName_theLatestAloneIsKept() throws IOException {
        byte[] timer = classFile(NAME);
        byte[] other = timer.clone();
        other[6] = (byte) 0; // the major version
        other[7] = (byte) 55;
        JdkEdits edits = new JdkEdits(WovenCache.open(folder, 1), (name, surprise) -> {});
        edits.apply(null, NAME, false, timer, EDITS);
        byte[] latest = edits.apply(null, NAME, false, other, EDITS);

        assertThat(edits.kept(null, NAME, false, timer)).isNull();
        assertThat(edits.kept(null, NAME, false, other)).isEqualTo(latest);
    }

    @Test
    void classesOfOtherLoaders_areNotKept() throws IOException {
        JdkEdits edits = new JdkEdits(WovenCache.open(folder, 1), (name, surprise) -> {});
        edits.apply(JdkEditsTest.class.getClassLoader(), NAME, false, classFile(NAME), EDITS);

        assertThat(edits.areKept()).isFalse();
    }

    private static byte[] classFile(String name) throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return in == null ? new byte[0] : in.readAllBytes();
        }
    }
}
