package dev.understudy.it.debug;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector.Argument;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** A debugger that is attached to a JVM on this machine, as an IDE is. */
final class Debugger implements AutoCloseable {
    private final VirtualMachine machine;

    private Debugger(VirtualMachine machine) {
        this.machine = machine;
    }

    static Debugger attach(int port) throws Exception {
        AttachingConnector sockets = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(connector -> connector.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Argument> where = sockets.defaultArguments();
        Objects.requireNonNull(where.get("hostname")).setValue("127.0.0.1");
        Objects.requireNonNull(where.get("port")).setValue(String.valueOf(port));
        return new Debugger(sockets.attach(where));
    }

    /**
     * Sets a breakpoint at the first line of a method, and waits until a thread has come there: all threads stand then.
     */
    Stop stopAt(Class<?> type, String name, Duration atMost) throws Exception {
        ReferenceType loaded = machine.classesByName(type.getName()).get(0);
        Method method = loaded.methodsByName(name).get(0);
        BreakpointRequest breakpoint = machine.eventRequestManager().createBreakpointRequest(method.location());
        breakpoint.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        breakpoint.enable();
        EventSet reached = machine.eventQueue().remove(atMost.toMillis());
        assertThat(reached).as("threads that came to " + method).isNotNull();
        BreakpointEvent event = (BreakpointEvent) reached.iterator().next();
        assertThat(event.thread().frame(0).location().method()).isEqualTo(method);
        assertThat(machine.allThreads()).allMatch(ThreadReference::isSuspended);
        return new Stop(breakpoint, reached);
    }

    @Override
    public void close() {
        machine.dispose();
    }

    /** The JVM stands at a breakpoint. */
    final class Stop {
        private final BreakpointRequest breakpoint;
        private final EventSet reached;

        private Stop(BreakpointRequest breakpoint, EventSet reached) {
            this.breakpoint = breakpoint;
            this.reached = reached;
        }

        /** Takes the breakpoint away and lets all threads go on; asserts that none had moved. */
        void resume() throws InterruptedException {
            assertThat(machine.eventQueue().remove(1))
                    .as("events of a JVM that stands")
                    .isNull();
            breakpoint.disable();
            reached.resume();
        }
    }
}
