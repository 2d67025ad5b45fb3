package io.plat.engine.plugin.host;

import io.plat.engine.plugin.AuthorizerPlugin;
import io.plat.engine.plugin.PluginDecision;
import io.plat.engine.plugin.RequestAttributes;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/** Plug-ins that tests put into jars. The classes loaded from a jar differ from those of the tests. */
final class SamplePlugins {
    private SamplePlugins() {}

    /** Allows user jane; the reason lists the classes that its class loader finds. */
    public static final class House implements AuthorizerPlugin {
        /** Called by ServiceLoader. */
        public House() {}

        @Override
        public String name() {
            return "House";
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return request.user().equals("jane")
                    ? PluginDecision.allow("sees " + seen("io.plat.engine.Decision") + seen("org.slf4j.Logger")
                            + seen("io.plat.engine.plugin.host.PluginDirectory")
                            + seen("io.plat.engine.plugin.host.SamplePlugins$Library") + seen("java.sql.Connection"))
                    : PluginDecision.refuse("not jane");
        }

        private static String seen(String type) {
            try {
                ClassLoader loader =
                        Objects.requireNonNull(Thread.currentThread().getContextClassLoader());
                return Class.forName(type, false, loader).getName() + " ";
            } catch (ClassNotFoundException e) {
                return "";
            }
        }
    }

    /** Another class in the jar of a plug-in. */
    public static final class Library {
        private Library() {}
    }

    /** Has the name of another plug-in. */
    public static final class OtherHouse implements AuthorizerPlugin {
        /** Called by ServiceLoader. */
        public OtherHouse() {}

        @Override
        public String name() {
            return "House";
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return PluginDecision.refuse("");
        }
    }

    /** Has the name of a built-in mode. */
    public static final class BuiltIn implements AuthorizerPlugin {
        /** Called by ServiceLoader. */
        public BuiltIn() {}

        @Override
        public String name() {
            return "RBAC";
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return PluginDecision.refuse("");
        }
    }

    /** Has a name that a flag cannot contain. */
    public static final class Comma implements AuthorizerPlugin {
        /** Called by ServiceLoader. */
        public Comma() {}

        @Override
        public String name() {
            return "a,b";
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return PluginDecision.refuse("");
        }
    }

    /** Its name throws an exception. */
    public static final class Nameless implements AuthorizerPlugin {
        /** Called by ServiceLoader. */
        public Nameless() {}

        @Override
        public String name() {
            throw new IllegalStateException("no\nname");
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return PluginDecision.refuse("");
        }
    }

    /** Its constructor throws an exception. */
    public static final class Broken implements AuthorizerPlugin {
        /** Called by ServiceLoader. */
        public Broken() {
            throw new IllegalStateException("no house file");
        }

        @Override
        public String name() {
            return "Broken";
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return PluginDecision.refuse("");
        }
    }

    /** Its constructor never returns. */
    public static final class Stuck implements AuthorizerPlugin {
        public Stuck() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Override
        public String name() {
            return "Stuck";
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return PluginDecision.refuse("");
        }
    }

    /** Its name method never returns. */
    public static final class StuckName implements AuthorizerPlugin {
        @Override
        public String name() {
            try {
                new CountDownLatch(1).await();
                return "";
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }

        @Override
        public PluginDecision authorize(RequestAttributes request) {
            return PluginDecision.refuse("");
        }
    }
}
