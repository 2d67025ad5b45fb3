package io.plat.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Lets {@code --v} stand before a word that is no level: {@code --v can-i} does not take the command's name. */
final class OptionalLevel implements IParameterPreprocessor {
    // The parser hands its own stack over.
    @SuppressWarnings("JdkObsolete")
    @Override
    public boolean preprocess(Stack<String> rest, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        boolean level = !rest.isEmpty() && rest.peek().matches("[0-9]{1,2}");
        boolean attached = info.get("separator") != null
                && !String.valueOf(info.get("separator")).isEmpty();
        if (!level && !attached) {
            rest.push("8");
        }
        return false;
    }
}
