package io.plat.engine.plugin.host;

import io.plat.engine.plugin.AuthorizerPlugin;

/**
 * Parent of a folder's class loader: the JDK, and of the server only the package of the plug-in interface. So a plug-in brings its own version
 * of any library, and can't depend on the server's internals by accident. This does not stop attackers: reflection reaches everything else.
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
