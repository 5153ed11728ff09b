package dev.understudy.agent.classfile;

/** The attributes that somebody asks for (JVMS §4.7), by a number that a class file finds once for each name in it. */
public final class Attribute {
    /** Any other. */
    static final byte OTHER = 1;
    /** What a method does. */
    public static final byte CODE = 2;

    static final byte STACK_MAP_TABLE = 3;
    /** Where lines begin. */
    public static final byte LINE_NUMBER_TABLE = 4;

    static final byte LOCAL_VARIABLE_TABLE = 5;
    static final byte LOCAL_VARIABLE_TYPE_TABLE = 6;
    static final byte TYPE_ANNOTATIONS = 7;
    /** Annotations, whether programs can ask for them or not. */
    public static final byte ANNOTATIONS = 8;
    /** What links calls. */
    public static final byte BOOTSTRAP_METHODS = 9;

    private Attribute() {}

    static byte named(String name) {
        switch (name) {
            case "Code":
                return CODE;
            case "StackMapTable":
                return STACK_MAP_TABLE;
            case "LineNumberTable":
                return LINE_NUMBER_TABLE;
            case "LocalVariableTable":
                return LOCAL_VARIABLE_TABLE;
            case "LocalVariableTypeTable":
                return LOCAL_VARIABLE_TYPE_TABLE;
            case "RuntimeVisibleTypeAnnotations":
            case "RuntimeInvisibleTypeAnnotations":
                return TYPE_ANNOTATIONS;
            case "RuntimeVisibleAnnotations":
            case "RuntimeInvisibleAnnotations":
                return ANNOTATIONS;
            case "BootstrapMethods":
                return BOOTSTRAP_METHODS;
            default:
                return OTHER;
        }
    }
}
