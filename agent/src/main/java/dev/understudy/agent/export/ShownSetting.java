package dev.understudy.agent.export;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** A setting of the agent, as its report tells of it. Immutable. */
public final class ShownSetting {
    private final String name;
    private final String value;
    private final String origin;
    private final boolean changeable;

    /**
     * @param value as it is written
     * @param origin {@code default}, {@code environment}, {@code argument} or {@code order}
     * @param changeable whether it can be changed while the JVM runs
     */
    public ShownSetting(String name, String value, String origin, boolean changeable) {
        this.name = name;
        this.value = value;
        this.origin = origin;
        this.changeable = changeable;
    }

    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name + '=' + value + " (" + origin + ')';
    }

    void write(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart(name);
        out.writeStringField("value", value);
        out.writeStringField("origin", origin);
        out.writeBooleanField("changeable", changeable);
        out.writeEndObject();
    }
}
