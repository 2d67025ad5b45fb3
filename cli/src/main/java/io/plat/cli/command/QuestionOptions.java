package io.plat.cli.command;

import io.plat.cli.process.CommandException;
import io.plat.cli.question.QuestionParser.Scope;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.Quoted;
import java.util.List;
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

    /** Returns a note that the namespace of a request is the default one, in a list; none if it was given. */
    public List<String> assumed(String defaultNamespace, AccessAttributes access) {
        return namespace == null
                        && !allNamespaces
                        && access instanceof ResourceAttributes resource
                        && !resource.resource().equals("namespaces")
                        && resource.namespace().equals(defaultNamespace)
                ? List.of("checked in namespace " + Quoted.of(defaultNamespace) + "; -n names another one")
                : List.of();
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
