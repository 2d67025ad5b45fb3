package io.plat.process;

import java.util.function.Predicate;

/**
 * Parent of the class loader of separate jars: the JDK and some classes of the program. The jars can therefore bring their own version of any library,
 * and cannot depend on the program's internals by accident. This is no protection against attackers, as reflection reaches everything.
 */
public final class SharedClasses extends ClassLoader {
    private final ClassLoader program;
    private final Predicate<String> shared;

    /**
     * Creates a class loader.
     *
     * @param program the class loader of the program
     * @param shared accepts the names of shared classes
     */
    public SharedClasses(ClassLoader program, Predicate<String> shared) {
        super("shared", ClassLoader.getPlatformClassLoader());
        this.program = program;
        this.shared = shared;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!shared.test(name)) {
            throw new ClassNotFoundException(name);
        }
        return program.loadClass(name);
    }
}
