package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.LagClock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Has one method ask {@link LagClock} where it asks the JDK for the time, in calls and in method references.
 *
 * <p>What isn't in the list is left alone: {@code now(Clock)}, since whoever made that clock was asked already,
 * {@code new GregorianCalendar()}, {@code System.nanoTime} and reflection.
 */
final class ClockCalls extends MethodVisitor {
    private static final String CLOCK = Type.getInternalName(LagClock.class);
    private static final String DATE = "java/util/Date";
    /** The names in {@link LagClock}, by owner, name and descriptor in the JDK. */
    private static final Map<String, String> NAMES = names();

    private final Runnable changed;
    private boolean pushes;

    /** @param changed is run for each call that asks another clock now */
    ClockCalls(MethodVisitor next, Runnable changed) {
        super(Opcodes.ASM9, next);
        this.changed = changed;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        String ours = opcode == Opcodes.INVOKESTATIC ? NAMES.get(key(owner, name, descriptor)) : null;
        if (ours != null) {
            changed.run();
            super.visitMethodInsn(Opcodes.INVOKESTATIC, CLOCK, ours, descriptor, false);
        } else if (isDate(owner, name, descriptor)) {
            changed.run();
            pushes = true;
            super.visitMethodInsn(Opcodes.INVOKESTATIC, CLOCK, "currentTimeMillis", "()J", false);
            super.visitMethodInsn(opcode, owner, name, "(J)V", false);
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        Object[] ours = Arrays.stream(arguments)
                .map(argument -> argument instanceof Handle ? reference((Handle) argument) : argument)
                .toArray();
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, ours);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(pushes ? maxStack + 2 : maxStack, maxLocals);
    }

    private Handle reference(Handle handle) {
        String descriptor = handle.getDesc();
        String ours = handle.getTag() == Opcodes.H_INVOKESTATIC
                ? NAMES.get(key(handle.getOwner(), handle.getName(), descriptor))
                : null;
        if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL && isDate(handle.getOwner(), handle.getName(), descriptor)) {
            ours = "date";
            descriptor = "()L" + DATE + ";";
        }
        if (ours == null) {
            return handle;
        }
        changed.run();
        return new Handle(Opcodes.H_INVOKESTATIC, CLOCK, ours, descriptor, false);
    }

    private static boolean isDate(String owner, String name, @Nullable String descriptor) {
        return owner.equals(DATE) && name.equals("<init>") && "()V".equals(descriptor);
    }

    private static Map<String, String> names() {
        Map<String, String> names = new HashMap<>();
        names.put(key("java/lang/System", "currentTimeMillis", "()J"), "currentTimeMillis");
        names.put(key("java/time/Instant", "now", "()Ljava/time/Instant;"), "instant");
        for (String zoned : new String[] {"system", "tickMillis", "tickSeconds", "tickMinutes"}) {
            names.put(key("java/time/Clock", zoned, "(Ljava/time/ZoneId;)Ljava/time/Clock;"), zoned);
        }
        for (String plain : new String[] {"systemUTC", "systemDefaultZone"}) {
            names.put(key("java/time/Clock", plain, "()Ljava/time/Clock;"), plain);
        }
        for (String type : new String[] {
            "LocalDate",
            "LocalTime",
            "LocalDateTime",
            "ZonedDateTime",
            "OffsetDateTime",
            "OffsetTime",
            "Year",
            "YearMonth",
            "MonthDay"
        }) {
            String owner = "java/time/" + type;
            String ours = type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
            names.put(key(owner, "now", "()L" + owner + ";"), ours);
            names.put(key(owner, "now", "(Ljava/time/ZoneId;)L" + owner + ";"), ours);
        }
        String zone = "Ljava/util/TimeZone;";
        String locale = "Ljava/util/Locale;";
        for (String asked : new String[] {"", zone, locale, zone + locale}) {
            names.put(key("java/util/Calendar", "getInstance", "(" + asked + ")Ljava/util/Calendar;"), "calendar");
        }
        return Map.copyOf(names);
    }

    private static String key(String owner, String name, String descriptor) {
        return owner + '.' + name + descriptor;
    }
}
