package io.plat.cli.output;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A location in a policy as JSON, parsed from text such as {@code RoleBinding/team-a/readers (roles.yaml:3)}, {@code
 * ClusterRole/view (default roles (kubernetes 1.36))} or {@code policy.jsonl:3}. */
public final class SourceObject {
    /** The decider and the mode that a server obtained an object from. */
    private static final String REMOTE = "(?:https://\\S+: )?(?:[A-Z]+ )?";

    private static final Pattern OBJECT =
            Pattern.compile(REMOTE + "((?:Cluster)?Role(?:Binding)?)/(.+?)(?: \\((.+?)(?::([0-9]+))?\\))?");
    private static final Pattern LINE = Pattern.compile(REMOTE + "(.+):([0-9]+)");

    private SourceObject() {}

    /** Returns kind, namespace and name of an object, file and line of a file, or another text as the name. */
    public static Map<String, Object> of(String text) {
        Matcher object = OBJECT.matcher(text);
        if (object.matches()) {
            String[] name = object.group(2).split("/", object.group(1).startsWith("Cluster") ? 1 : 2);
            return JsonAnswer.object(
                    "kind", object.group(1),
                    "namespace", name.length > 1 ? name[0] : null,
                    "name", name[name.length - 1],
                    "file", object.group(3),
                    "line", number(object.group(4)));
        }
        Matcher line = LINE.matcher(text);
        return line.matches()
                ? JsonAnswer.object("file", line.group(1), "line", number(line.group(2)))
                : JsonAnswer.object("name", text);
    }

    private static @Nullable Long number(@Nullable String digits) {
        return digits == null ? null : Long.valueOf(digits);
    }
}
