package dev.understudy.agent.lock;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Label;

/** A place of a method where it takes a lock and tells of it, as it is woven. */
public final class WovenLock {
    /** The method's name with its descriptor. */
    public final String method;
    /** The method's name, as people know it. */
    public final String label;
    /** Which of the method's places it is, from 0. */
    public final int index;
    /** 0 where the method begins. */
    public final int line;
    /** What the lock is called there. */
    public final String lock;
    /** This run's number of it. */
    public final int number;

    private final List<Label> told = new ArrayList<>();

    /** One that was woven with this number. */
    public WovenLock(String method, String label, int index, int line, String lock, int number) {
        this.method = method;
        this.label = label;
        this.index = index;
        this.line = line;
        this.lock = lock;
        this.number = number;
    }

    void toldAt(Label label) {
        told.add(label);
    }

    /** Where in the method's code the instructions are that load its number; known once the method was written. */
    public int[] offsets() {
        return told.stream().mapToInt(Label::getOffset).toArray();
    }
}
