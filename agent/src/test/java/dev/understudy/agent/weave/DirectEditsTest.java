package dev.understudy.agent.weave;

import dev.understudy.agent.Fuzz;
import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.classfile.UnusualClassFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class DirectEditsTest {
    private static final byte[] SUMS = WovenLoader.classFile(Sums.class.getName());
    private static final byte[] SWITCHES = WovenLoader.classFile(DirectWeavingTest.Switches.class.getName());

    @Test
    void whatIsPutInEverywhere_isWhereTheOtherWayPutsIt() {
        MethodEdit everywhere = new Insertion(2) {
            @Override
            protected void enter(MethodVisitor code) {
                code.visitInsn(Opcodes.ACONST_NULL);
                code.visitTypeInsn(Opcodes.CHECKCAST, "java/lang/String");
                code.visitInsn(Opcodes.POP);
            }

            @Override
            protected void leave(MethodVisitor code, int opcode) {
                code.visitFieldInsn(Opcodes.GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
                code.visitInsn(Opcodes.POP);
            }

            @Override
            protected boolean replace(MethodVisitor code, String owner, String name, String descriptor) {
                code.visitInsn(Opcodes.NOP);
                return descriptor.endsWith("()V") && !name.equals("<init>");
            }
        };
        for (byte[] file : List.of(SUMS, SWITCHES)) {
            ClassFiles.assertEditedAlike("everywhere", ofAll(file, everywhere), file);
        }
    }

    /** A method whose calls are all gone is shorter, and what leads behind them leads there still. */
    @Test
    void whatIsInThePlaceOfACall_mayBeShorter() {
        MethodEdit without = new Insertion(0) {
            @Override
            protected boolean replace(MethodVisitor code, String owner, String name, String descriptor) {
                boolean pops = descriptor.equals("(I)I");
                if (pops) {
                    code.visitInsn(Opcodes.INEG);
                }
                return pops;
            }
        };
        ClassFiles.assertEditedAlike("shorter", Map.of("dense", without), SWITCHES);
    }

    @Test
    void editsOfAllInstructions_andPiecesWithMoreThanCalls_areLeftToTheOtherWay() {
        MethodEdit visitor = (next, slots) -> next;
        MethodEdit constant = new Insertion(1) {
            @Override
            protected void enter(MethodVisitor code) {
                code.visitLdcInsn("text");
                code.visitInsn(Opcodes.POP);
            }
        };
        byte[] old = SWITCHES.clone();
        old[7] = Opcodes.V1_6;

        for (MethodEdit edit : List.of(visitor, constant)) {
            assertThatThrownBy(() -> DirectEdits.apply(Map.of("dense", edit), SWITCHES))
                    .isInstanceOf(UnusualClassFile.class);
            assertThat(JdkEdits.unkept().apply(null, "Switches", false, SWITCHES, Map.of("dense", edit)))
                    .isEqualTo(VisitedEdits.apply(Map.of("dense", edit), SWITCHES));
        }
        assertThatThrownBy(() -> DirectEdits.apply(Map.of(), old)).isInstanceOf(UnusualClassFile.class);
    }

    @Test
    @Timeout(300)
    void damagedClassFile_isEditedOrRefused() {
        Random random = new Random(37);
        Map<String, MethodEdit> edits = Map.of("dense", MethodEdit.around(new Nothing()), "sparse", new Twice());
        List<String> refused = new ArrayList<>();
        int rounds = Fuzz.rounds(10_000);
        for (int n = 0; n < rounds; n++) {
            byte[] damaged = DirectWeavingTest.damaged(SWITCHES, random);
            try {
                DirectEdits.apply(edits, damaged);
            } catch (RuntimeException strange) {
                refused.add(strange.toString());
            }
        }
        assertThat(refused).hasSizeBetween(rounds / 20, rounds * 19 / 20);
    }

    private static Map<String, MethodEdit> ofAll(byte[] classFile, MethodEdit edit) {
        ClassFile file = new ClassFile(classFile);
        Map<String, MethodEdit> edits = new HashMap<>();
        for (int method = 0; method < file.methods(); method++) {
            edits.put(file.name(method), edit);
        }
        return edits;
    }

    private static final class Nothing implements Bracket {
        @Override
        public void enter(MethodVisitor code) {
            code.visitInsn(Opcodes.ACONST_NULL);
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            // nothing
        }

        @Override
        public void thrown(MethodVisitor code) {
            code.visitInsn(Opcodes.POP2);
        }
    }

    private static final class Twice extends Insertion {
        Twice() {
            super(1);
        }

        @Override
        protected void enter(MethodVisitor code) {
            code.visitVarInsn(Opcodes.ALOAD, 300);
            code.visitInsn(Opcodes.POP);
        }
    }
}
