package io.plat.tests.process;

import java.nio.file.Path;

/** A plug-in, {@code Moody}, whose behaviour depends on the user's name; with a library in a separate jar. */
public final class ScriptedPlugin {
    private static final String LIBRARY = "com.example.text.Words";
    private static final String LIBRARY_SOURCE = """
            package com.example.text;

            public final class Words {
                public static String join(String... words) {
                    return String.join(" ", words);
                }
            }
            """;
    private static final String TYPE = "com.example.Moody";
    private static final String SOURCE = """
            package com.example;

            import com.example.text.Words;
            import io.plat.engine.plugin.AuthorizerPlugin;
            import io.plat.engine.plugin.PluginDecision;
            import io.plat.engine.plugin.RequestAttributes;

            public final class Moody implements AuthorizerPlugin {
                public String name() {
                    return "Moody";
                }

                public PluginDecision authorize(RequestAttributes request) throws Exception {
                    switch (request.user()) {
                        case "allowed":
                            return PluginDecision.allow(Words.join("in", "the", "mood"));
                        case "thrower":
                            throw new java.io.IOException("the password is abc");
                        case "speechless":
                            return null;
                        case "deep":
                            return PluginDecision.allow("" + deep(1));
                        case "unlinked":
                            throw new NoClassDefFoundError("com/example/Gone");
                        case "sleeper":
                            Thread.sleep(3_600_000);
                            return PluginDecision.allow("slept");
                        case "stuck":
                            for (;;) {
                                try {
                                    Thread.sleep(3_600_000);
                                } catch (InterruptedException e) {
                                    continue;
                                }
                            }
                        case "curious":
                            Class.forName("io.plat.engine.Decision");
                            return PluginDecision.allow("saw the server");
                        case "selective":
                            return request.fieldSelector().raw().equals("spec.nodeName=n1")
                                            || request.labelSelector().requirements().stream()
                                                    .anyMatch(one -> one.key().equals("app") && one.values().contains("web"))
                                    ? PluginDecision.allow("selected")
                                    : PluginDecision.refuse("not selected");
                        default:
                            return PluginDecision.refuse("not in the mood");
                    }
                }

                private static int deep(int depth) {
                    return deep(depth + 1) + 1;
                }
            }
            """;

    private ScriptedPlugin() {}

    /** Writes its two jars into a directory. */
    public static void write(Path directory) {
        Path library = PluginJar.of(LIBRARY, LIBRARY_SOURCE).write(directory.resolve("words.jar"));
        PluginJar.of(TYPE, SOURCE).with(library).providing(TYPE).write(directory.resolve("moody.jar"));
    }
}
