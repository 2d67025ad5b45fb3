package io.plat.engine.plugin.host;

import io.plat.engine.plugin.AuthorizerPlugin;

/**
 * Parent of a folder's class loader: the JDK and the package of the plug-in interface. A plug-in can therefore bring its own version of any library,
 * and can't depend on the server's internals by accident. This is no protection against attackers, as reflection reaches everything.
 */
final class InterfaceLoader extends ClassLoader {
    private static final String PACKAGE = AuthorizerPlugin.class.getPackageName();
    private static final ClassLoader SERVER = AuthorizerPlugin.class.getClassLoader();

    InterfaceLoader() {
        super("plugin-interface", ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        int end = name.lastIndexOf('.');
        if (end < 0 || !name.substring(0, end).equals(PACKAGE)) {
            throw new ClassNotFoundException(name);
        }
        return SERVER.loadClass(name);
    }
}
