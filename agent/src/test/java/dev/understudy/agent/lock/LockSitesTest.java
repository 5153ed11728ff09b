package dev.understudy.agent.lock;

import dev.understudy.agent.bootstrap.Locks;
import dev.understudy.agent.branch.BranchDirectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LockSitesTest {
    private final LockSites sites = new LockSites(new BranchDirectory());
    private final List<String> told = new ArrayList<>();

    @Test
    void ofAMethodsPlaces_twentyFourAreTold_andAsManyOfItsCalls() {
        sites.areSynchronized(Set.of("total()I"));
        MethodVisitor code = method();
        code.visitCode();
        for (int i = 0; i < 30; i++) {
            code.visitInsn(Opcodes.MONITORENTER);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "com/shop/Cart", "total", "()I", false);
        }

        assertThat(Collections.frequency(told, "entering")).isEqualTo(24);
        assertThat(Collections.frequency(told, "calling")).isEqualTo(24);
    }

    @Test
    void soManyMethodsAreRemembered_andNoMore() {
        for (int i = 0; i <= 1 << 14; i++) {
            sites.areSynchronized(Set.of("method" + i + "()V"));
        }

        assertThat(sites.mayBeSynchronized("method" + ((1 << 14) - 1) + "()V")).isTrue();
        assertThat(sites.mayBeSynchronized("method" + (1 << 14) + "()V")).isFalse();
    }

    private MethodVisitor method() {
        ClassLoader loader = LockSitesTest.class.getClassLoader();
        MethodVisitor plain = new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
                if (owner.equals(Type.getInternalName(Locks.class))) {
                    told.add(name);
                }
            }
        };
        LockedMethod method = new LockedMethod(loader, "com.shop.Till", 61, 0, "close", "()V", "com.shop.Till#close");
        return sites.visitor(plain, method, 1, place -> {});
    }
}
