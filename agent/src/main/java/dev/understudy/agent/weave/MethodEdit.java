package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** What is changed in one method of a class that is known by name, as a server's or one of the JDK's. */
public interface MethodEdit {
    /**
     * A visitor that writes the changed method to {@code next}; frames are expanded.
     *
     * @param slots the method's number of local slots
     */
    MethodVisitor over(MethodVisitor next, int slots);

    /** Puts a bracket around the method's body; the class file has frames. */
    static MethodEdit around(Bracket bracket) {
        return around(bracket, Opcodes.V11);
    }

    /** Puts a bracket around the method's body in a class file of that version. */
    static MethodEdit around(Bracket bracket, int version) {
        return new AroundBody(bracket, version >= Opcodes.V1_6);
    }

    /** The class file's major version; 49, for Java 5, is the first whose methods can name classes. */
    static int version(byte[] classFile) {
        return ((classFile[6] & 0xFF) << 8) | (classFile[7] & 0xFF);
    }
}
