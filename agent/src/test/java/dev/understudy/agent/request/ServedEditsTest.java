package dev.understudy.agent.request;

import dev.understudy.agent.fork.NeedsJre;
import dev.understudy.agent.weave.ClassFiles;
import dev.understudy.agent.weave.MethodEdit;
import dev.understudy.agent.weave.WovenLoader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class ServedEditsTest {
    private static final int LAST_WITH_PLAIN_SOCKETS = 17;

    @Test
    void theJdksSockets_areEditedDirectlyAsByTheOtherWay() throws IOException {
        int plain = Runtime.version().feature() > LAST_WITH_PLAIN_SOCKETS ? 0 : 3;

        assertThat(editedAlike(FileSystems.getFileSystem(URI.create("jrt:/")))).isEqualTo(3 + plain);
    }

    /** It has no {@code NioSocketImpl}, and of the channels' methods those that it has. */
    @Test
    void thoseOfTheOldestJdk_areEditedDirectlyAsByTheOtherWay() throws IOException {
        Path home = NeedsJre.java("11").resolve("../..").normalize();
        try (FileSystem jdk = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home.toString()))) {
            assertThat(editedAlike(jdk)).isEqualTo(2 + 3);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io/netty/channel/epoll/EpollServerSocketChannel",
                "io/netty/channel/uring/IoUringServerSocketChannel",
                "io/netty/channel/uring/AbstractIoUringStreamChannel$IoUringStreamUnsafe"
            })
    void nettysOwn_areEditedDirectlyAsByTheOtherWay(String name) {
        Map<String, MethodEdit> edits = new HashMap<>();
        SocketBracket.of(name).forEach((method, bracket) -> edits.put(method, MethodEdit.around(bracket)));

        ClassFiles.assertEditedAlike(name, edits, WovenLoader.classFile(name.replace('/', '.')));
    }

    private static int editedAlike(FileSystem jdk) throws IOException {
        int edited = 0;
        for (String name : ServerTransformer.ofJdk()) {
            Map<String, MethodEdit> edits = new HashMap<>();
            SocketBracket.of(name).forEach((method, bracket) -> edits.put(method, MethodEdit.around(bracket)));
            byte[] classFile = edits.isEmpty() ? null : ClassFiles.ofJdk(jdk, name);
            if (classFile != null) {
                ClassFiles.assertEditedAlike(name, edits, classFile);
                edited++;
            }
        }
        return edited;
    }
}
