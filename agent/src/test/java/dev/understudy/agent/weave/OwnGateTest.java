package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Probes;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OwnGateTest {
    private static final String OWN = "$understudy$enter(I)Ljava/lang/Object;";

    private final ProbeDirectory directory = new ProbeDirectory();
    private final Weaver weaver = new Weaver(directory);
    private final WovenLoader loader = new WovenLoader(name -> false);

    @Test
    void theGate_isLinkedOnce_howeverManyMethodsAskIt() {
        Map<String, Integer> links = links(weave(WovenLoader.classFile(Shapes.class.getName()), false));

        assertThat(links).containsEntry(OWN, 1).hasSizeGreaterThan(10);
        assertThat(links.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
    }

    @Test
    void aClassThatIsLoadedAlready_getsNoMethod_andItsMethodsAskTheGateThemselves() {
        byte[] plain = WovenLoader.classFile(Shapes.class.getName());
        Map<String, Integer> links = links(weave(plain, true));

        assertThat(links.keySet()).isEqualTo(links(plain).keySet());
        assertThat(links).containsEntry("recursive(I)I", 1);
    }

    @Test
    void aClassThatWasLoadedWithIt_keepsIt_alsoWhenNothingAsksItAnyMore() {
        Map<String, Integer> before = links(weave(oneMethod("x/One", 20), false));
        assertThat(before).containsEntry(OWN, 1).containsEntry("run()V", 0);

        assertThat(links(weave(oneMethod("x/One", 20), true))).isEqualTo(before);
        assertThat(links(weave(oneMethod("x/One", 0), true))).isEqualTo(before);
        assertThat(weaver.weave(loader, oneMethod("x/Other", 0), true)).isNull();
    }

    @Test
    void interfaces_haveItToo() throws Exception {
        WovenLoader own = new WovenLoader(name -> name.startsWith(Greeting.class.getName()));
        Class<?> greeting = own.loadClass(Greeting.class.getName());
        Object polite = own.loadClass(Greeting.Polite.class.getName())
                .getDeclaredConstructor()
                .newInstance();
        Method greet = greeting.getMethod("greet", String.class);
        greet.setAccessible(true);

        int probe = WovenLoader.DIRECTORY.probes() - 1;
        while (!WovenLoader.DIRECTORY.probe(probe).toString().equals(Greeting.class.getName() + "#greet")) {
            probe--;
        }
        int before = Probes.hits(probe);
        assertThat(greet.invoke(polite, "you")).isEqualTo("Good day, you");
        assertThat(Arrays.stream(greeting.getDeclaredMethods()).filter(Method::isSynthetic))
                .hasSize(1);
        assertThat(Probes.hits(probe) - before).isEqualTo(1);
    }

    private byte[] weave(byte[] classFile, boolean loaded) {
        return Objects.requireNonNull(weaver.weave(loader, classFile, loaded));
    }

    /** How many gates are linked in each method. */
    private static Map<String, Integer> links(byte[] classFile) {
        Map<String, Integer> links = new TreeMap<>();
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    String @Nullable [] exceptions) {
                                links.put(name + descriptor, 0);
                                return new MethodVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitInvokeDynamicInsn(
                                            String to, String type, Handle bootstrap, Object... arguments) {
                                        if (bootstrap.getOwner().endsWith("bootstrap/Gates")) {
                                            links.merge(name + descriptor, 1, Integer::sum);
                                        }
                                    }
                                };
                            }
                        },
                        0);
        return links;
    }

    private static byte[] oneMethod(String name, int instructions) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "()V", null, null);
        code.visitCode();
        for (int n = 0; n < instructions; n++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** One with code. */
    public interface Greeting {
        default String greet(String whom) {
            return "Good day, " + whom;
        }

        /** As it is. */
        final class Polite implements Greeting {
            public Polite() {}
        }
    }
}
