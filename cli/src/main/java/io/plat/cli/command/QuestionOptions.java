package io.plat.cli;

import io.plat.cli.question.QuestionParser.Scope;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say where, and on what part of an object. */
public final class QuestionOptions {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "namespace to ask about (the context's, or \"default\")")
    public @Nullable String namespace;

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "ask about all namespaces at once")
    public boolean allNamespaces;

    @Option(names = "--subresource", paramLabel = "NAME", description = "ask about a subresource, such as log or scale")
    @Nullable
    String subresource;

    public Scope scope(String defaultNamespace) {
        if (allNamespaces && namespace != null) {
            throw CommandException.usage("--all-namespaces: contradicts --namespace");
        }
        return new Scope(
                namespace == null ? defaultNamespace : namespace, namespace != null, allNamespaces, subresource);
    }

    /** These flags; those of another where none of these says where. */
    public QuestionOptions orElse(QuestionOptions usual) {
        if (namespace == null && !allNamespaces) {
            namespace = usual.namespace;
            allNamespaces = usual.allNamespaces;
        }
        return this;
    }
}
