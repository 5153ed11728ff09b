package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.Egress;
import dev.understudy.agent.fork.NeedsJre;
import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.weave.ClassFiles;
import dev.understudy.agent.weave.ClassNames;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class EgressTransformerTest {
    private static final String UNSAFE = "$AbstractUringUnsafe";

    private final Map<String, String> failures = new TreeMap<>();
    private final EgressTransformer transformer = new EgressTransformer(new Reach(told -> {}), failures::put);

    @Test
    void socketsOfThisJdk_askBeforeTheyConnect() throws IOException {
        assertSocketsAsk(FileSystems.getFileSystem(URI.create("jrt:/")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void thoseOfOtherJdks_doToo(String version) throws IOException {
        Path home = NeedsJre.java(version).resolve("../..").normalize();
        try (FileSystem jdk = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home.toString()))) {
            assertSocketsAsk(jdk);
        }
    }

    private void assertSocketsAsk(FileSystem jdk) throws IOException {
        int streams = 0;
        for (String dotted : ConnectPlace.ofJdk()) {
            String name = dotted.replace('.', '/');
            byte[] file = ClassFiles.ofJdk(jdk, name);
            if (file == null) {
                continue;
            }
            ConnectPlace place = Objects.requireNonNull(ConnectPlace.of(name));
            ClassFiles.assertEditedAlike(name, place.edits(new HashSet<>(), new HashSet<>()), file);
            byte[] asking = Objects.requireNonNull(transformer.transform(null, name, null, null, file), name);
            assertThat(calls(asking, ClassNames.of(Egress.class)))
                    .as(name)
                    .hasSameSizeAs(calls(file, name.startsWith("java/") ? name + ".socketConnect" : "sun/nio/ch/Net"))
                    .isNotEmpty();
            assertThat(transformer.guards(dotted)).isTrue();
            streams += name.endsWith("SocketImpl") ? 1 : 0;
        }
        assertThat(failures).isEmpty();
        assertThat(streams).isPositive();
        assertThat(transformer.guards("sun.nio.ch.SocketChannelImpl")).isTrue();
        assertThat(transformer.guards("sun.nio.ch.UnixAsynchronousSocketChannelImpl"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io/netty/channel/epoll/AbstractEpollChannel",
                "io/netty/channel/uring/AbstractIoUringChannel" + UNSAFE,
                "io/grpc/netty/shaded/io/netty/channel/epoll/AbstractEpollChannel"
            })
    void nettysTransports_ask_alsoInOtherPackages(String name) throws IOException {
        try (InputStream in = getClass().getClassLoader().getResourceAsStream(name + ".class")) {
            assertAsks(name, Objects.requireNonNull(in, name).readAllBytes());
        }
    }

    private void assertAsks(String name, byte[] file) {
        byte[] asking =
                Objects.requireNonNull(transformer.transform(getClass().getClassLoader(), name, null, null, file));
        assertThat(calls(asking, ClassNames.of(Egress.class))).hasSize(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void aClassThatConnectsInAnotherWay_isReported() {
        ClassWriter empty = new ClassWriter(0);
        empty.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "x/io/netty/channel/epoll/AbstractEpollChannel", null, null, null);

        assertThat(transformer.transform(
                        null, "x/io/netty/channel/epoll/AbstractEpollChannel", null, null, empty.toByteArray()))
                .isNull();
        assertThat(transformer.transform(null, "sun/nio/ch/SocketChannelImpl", null, null, new byte[] {1, 2}))
                .isNull();
        assertThat(failures)
                .containsOnlyKeys("x.io.netty.channel.epoll.AbstractEpollChannel", "sun.nio.ch.SocketChannelImpl");
        assertThat(transformer.guards("sun.nio.ch.SocketChannelImpl")).isFalse();
    }

    /** Of two methods that connect, one does so in another way; an overload may leave it to the other. */
    @Test
    void aClassOfWhichOneMethodConnectsInAnotherWay_isReported_andAsksInTheOthers() {
        ClassWriter half = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        half.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "sun/nio/ch/SocketChannelImpl", null, "java/lang/Object", null);
        connecting(half, "connect", "(Ljava/net/SocketAddress;)I", "connect");
        connecting(half, "connect", "(Ljava/net/SocketAddress;I)I", "other");
        connecting(half, "blockingConnect", "(Ljava/net/SocketAddress;)I", "other");
        byte[] file = half.toByteArray();

        byte[] asking =
                Objects.requireNonNull(transformer.transform(null, "sun/nio/ch/SocketChannelImpl", null, null, file));
        assertThat(calls(asking, ClassNames.of(Egress.class))).hasSize(1);
        assertThat(failures)
                .containsExactly(Map.entry(
                        "sun.nio.ch.SocketChannelImpl",
                        "this version of it connects in a way that isn't known, in blockingConnect"));
        assertThat(transformer.guards("sun.nio.ch.SocketChannelImpl")).isFalse();
    }

    private static void connecting(ClassWriter file, String name, String descriptor, String called) {
        MethodVisitor code = file.visitMethod(Opcodes.ACC_STATIC, name, descriptor, null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "sun/nio/ch/Net", called, "(Ljava/net/SocketAddress;)I", false);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AbstractEpollChannel", "com/shop/AbstractEpollChannel", "xio/netty/channel/epoll/AbstractEpollChannel",
                "x/sun/nio/ch/SocketChannelImpl", "SocketChannelImpl", "sun/nio/ch/DatagramChannelImpl"
            })
    void otherClasses_areLeftAlone(String name) {
        assertThat(transformer.transform(null, name, null, null, new byte[0])).isNull();
        assertThat(failures).isEmpty();
    }

    /** The methods that are called of a class, or of a class and method. */
    private static List<String> calls(byte[] file, String called) {
        List<String> calls = new ArrayList<>();
        new ClassReader(file)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    String @Nullable [] exceptions) {
                                return new MethodVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitMethodInsn(
                                            int opcode, String owner, String method, String its, boolean type) {
                                        boolean connects =
                                                method.startsWith("connect") || method.equals("socketConnect");
                                        if (connects
                                                && (owner.equals(called) || (owner + "." + method).equals(called))) {
                                            calls.add(name + its);
                                        }
                                    }
                                };
                            }
                        },
                        0);
        return calls;
    }
}
