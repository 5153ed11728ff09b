package dev.understudy.agent.weave;

/** What a probe's number stands for: a method of the application and the gate of its class. */
public final class Probe {
    private final String className;
    private final String method;
    private final int gate;

    Probe(String className, String method, int gate) {
        this.className = className;
        this.method = method;
        this.gate = gate;
    }

    /** The class's name with dots. */
    public String className() {
        return className;
    }

    /** The method's name, with its parameters' short type names if the class has several of that name. */
    public String method() {
        return method;
    }

    /** The number of the class's gate. */
    public int gate() {
        return gate;
    }

    @Override
    public String toString() {
        return className + '#' + method;
    }
}
