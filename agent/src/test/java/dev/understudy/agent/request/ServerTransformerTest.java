package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.weave.ClassNames;
import dev.understudy.agent.weave.WovenLoader;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class ServerTransformerTest {
    private static final String SERVLET = "old/javax/servlet/http/HttpServlet";
    private static final String REQUEST = "old/javax/servlet/http/HttpServletRequest";
    private static final String ANY_REQUEST = "old/javax/servlet/ServletRequest";
    private static final String RESPONSE = "old/javax/servlet/ServletResponse";

    /** Class files of Java 5 and 6 have no {@code invokedynamic}: Netty 4.1's are of that time. */
    @ParameterizedTest
    @ValueSource(ints = {Opcodes.V1_5, Opcodes.V1_6, Opcodes.V1_7})
    void aServerOfAnyAge_beginsExchanges(int version) throws Exception {
        Map<String, byte[]> files = new HashMap<>();
        files.put(ANY_REQUEST, type(version, ANY_REQUEST).toByteArray());
        files.put(RESPONSE, type(version, RESPONSE).toByteArray());
        files.put(REQUEST, request(version));
        ServerTransformer transformer = new ServerTransformer((name, problem) -> {
            throw new AssertionError(name, problem);
        });
        files.put(SERVLET, transformer.transform(null, SERVLET, null, null, servlet(version)));
        ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                byte[] file = files.get(name.replace('.', '/'));
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                return defineClass(name, file, 0, file.length);
            }
        };
        Class<?> anyRequest = loader.loadClass(ANY_REQUEST.replace('/', '.'));
        Class<?> response = loader.loadClass(RESPONSE.replace('/', '.'));
        Object request = Proxy.newProxyInstance(
                loader,
                new Class<?>[] {loader.loadClass(REQUEST.replace('/', '.'))},
                (proxy, method, arguments) -> "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        Class<?> servlet = loader.loadClass(SERVLET.replace('/', '.'));
        long before = ServedExchanges.begun();

        Object made = servlet.getConstructor().newInstance();
        servlet.getMethod("service", anyRequest, response).invoke(made, request, null);
        servlet.getMethod("service", anyRequest, response).invoke(made, request, null);

        assertThat(ServedExchanges.begun()).isEqualTo(before + 2);
    }

    @Test
    void aTaskThatAContainerIsAskedToStart_isWatched() {
        String context = "org/apache/catalina/core/AsyncContextImpl";
        ServerTransformer transformer = new ServerTransformer((name, problem) -> {
            throw new AssertionError(name, problem);
        });
        byte[] plain = WovenLoader.classFile(context.replace('/', '.'));
        List<String> calls = new ArrayList<>();
        ClassVisitor start = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] thrown) {
                return !name.equals("start")
                        ? null
                        : new MethodVisitor(Opcodes.ASM9) {
                            @Override
                            public void visitMethodInsn(
                                    int opcode, String owner, String called, String its, boolean type) {
                                calls.add(owner + '.' + called);
                            }
                        };
            }
        };
        new ClassReader(Objects.requireNonNull(transformer.transform(null, context, null, null, plain)))
                .accept(start, 0);

        assertThat(calls).startsWith("dev/understudy/agent/bootstrap/ServedExchanges.started");
        assertThat(transformer.knows("com.shop.io.undertow.servlet.spec.AsyncContextImpl"))
                .isTrue();
        assertThat(transformer.knows("com.shop.AsyncContextImpl")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "channel/epoll/AbstractEpollStreamChannel, doWrite(LNETTY/channel/ChannelOutboundBuffer;)V",
        "channel/kqueue/AbstractKQueueChannel, doReadBytes(LNETTY/buffer/ByteBuf;)I",
        "channel/uring/IoUringServerSocketChannel, newChildChannel(ILjava/nio/ByteBuffer;)LNETTY/channel/Channel;",
        "incubator/channel/uring/IOUringServerSocketChannel, newChildChannel(IJJ)LNETTY/channel/Channel;"
    })
    void nettysOwnSockets_areKnown_alsoBelowOtherPackages(String name, String method) {
        assertThat(SocketBracket.of("io/netty/" + name)).containsOnlyKeys(method.replace("NETTY", "io/netty"));
        assertThat(SocketBracket.of("com/shop/io/netty/" + name))
                .containsOnlyKeys(method.replace("NETTY", "com/shop/io/netty"));
        assertThat(SocketBracket.of("com/shop/" + ClassNames.simple(name))).isEmpty();
        assertThat(SocketBracket.of("com/shopio/netty/" + name)).isEmpty();
        assertThat(SocketBracket.of("io/netty/other/" + ClassNames.simple(name)))
                .isEmpty();
    }

    private static ClassWriter type(int version, String name, String... parents) {
        ClassWriter type = new ClassWriter(0);
        int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;
        type.visit(version, access, name, null, "java/lang/Object", parents);
        return type;
    }

    private static byte[] request(int version) {
        ClassWriter request = type(version, REQUEST, ANY_REQUEST);
        request.visitMethod(
                Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT,
                "getHeader",
                "(Ljava/lang/String;)Ljava/lang/String;",
                null,
                null);
        return request.toByteArray();
    }

    private static byte[] servlet(int version) {
        ClassWriter servlet = new ClassWriter(0);
        servlet.visit(version, Opcodes.ACC_PUBLIC, SERVLET, null, "java/lang/Object", null);
        MethodVisitor init = servlet.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(Opcodes.ALOAD, 0);
        init.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        init.visitInsn(Opcodes.RETURN);
        init.visitMaxs(1, 1);
        MethodVisitor service = servlet.visitMethod(
                Opcodes.ACC_PUBLIC, "service", "(L" + ANY_REQUEST + ";L" + RESPONSE + ";)V", null, null);
        service.visitCode();
        service.visitInsn(Opcodes.RETURN);
        service.visitMaxs(0, 3);
        return servlet.toByteArray();
    }
}
