package io.plat.cli.command;

import io.plat.cli.process.CommandException;
import io.plat.cli.question.QuestionParser.Scope;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for namespace and subresource. */
public final class QuestionOptions {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE")
    public @Nullable String namespace;

    @Option(names = {"-A", "--all-namespaces"})
    public boolean allNamespaces;

    @Option(names = "--subresource", paramLabel = "NAME")
    @Nullable
    String subresource;

    public Scope scope(String defaultNamespace) {
        if (allNamespaces && namespace != null) {
            throw CommandException.usage("--all-namespaces: contradicts --namespace");
        }
        return new Scope(
                namespace == null ? defaultNamespace : namespace, namespace != null, allNamespaces, subresource);
    }

    /** Returns these flags, or another's if none of these is given. */
    public QuestionOptions orElse(QuestionOptions usual) {
        if (namespace == null && !allNamespaces) {
            namespace = usual.namespace;
            allNamespaces = usual.allNamespaces;
        }
        return this;
    }
}
