package io.plat.cli.policy;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RbacValidation;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.ApiGroups;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a binding that is written as tools write most: block style, one plain word a line, nothing but its own fields. That takes a
 * fraction of what YAML in general does. Any other document is not read but left to the general reader. Used once.
 */
final class PlainBinding {
    private static final String VERSION = ApiGroups.RBAC + "/v1";
    private static final String MARKER = "---\n";
    private static final Set<String> SUBJECT = Set.of("kind", "apiGroup", "name", "namespace");
    private static final Set<String> REFERENCE = Set.of("kind", "apiGroup", "name");
    private static final Set<String> METADATA = Set.of("name", "namespace");

    /** Words that are no strings in some version of YAML. */
    private static final Set<String> NO_STRINGS =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf");

    private static final int LONGEST_NO_STRING = 5;

    private final String text;
    private final Map<String, String> words;
    private int at;
    private int indent;
    private boolean item;
    private String key = "";
    private String value = "";

    private PlainBinding(String text, Map<String, String> words) {
        this.text = text;
        this.words = words;
    }

    /**
     * The binding, or null where the document is not of this kind.
     *
     * @param words those met so far: each is kept once, as bindings share most of theirs
     */
    static @Nullable RbacBinding read(String document, Map<String, String> words) {
        return new PlainBinding(document, words).binding();
    }

    private @Nullable RbacBinding binding() {
        Map<String, String> top = new HashMap<>();
        Map<String, String> metadata = new HashMap<>();
        Map<String, String> reference = new HashMap<>();
        List<RbacSubject> subjects = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        if (text.startsWith(MARKER)) {
            at = MARKER.length();
        }
        if (!line()) {
            return null;
        }
        while (!key.isEmpty()) {
            if (indent != 0 || item || !seen.add(key)) {
                return null;
            }
            switch (key) {
                case "apiVersion", "kind" -> {
                    top.put(key, value);
                    if (value.isEmpty() || !line()) {
                        return null;
                    }
                }
                case "metadata" -> {
                    if (!mapping(METADATA, metadata)) {
                        return null;
                    }
                }
                case "roleRef" -> {
                    if (!mapping(REFERENCE, reference)) {
                        return null;
                    }
                }
                case "subjects" -> {
                    if (!list(subjects)) {
                        return null;
                    }
                }
                default -> {
                    return null;
                }
            }
        }
        return object(top, metadata, subjects, reference);
    }

    private static @Nullable RbacBinding object(
            Map<String, String> top,
            Map<String, String> metadata,
            List<RbacSubject> subjects,
            Map<String, String> reference) {
        RbacKind kind = switch (top.getOrDefault("kind", "")) {
            case "RoleBinding" -> RbacKind.ROLE_BINDING;
            case "ClusterRoleBinding" -> RbacKind.CLUSTER_ROLE_BINDING;
            default -> null;
        };
        if (kind == null || !VERSION.equals(top.get("apiVersion"))) {
            return null;
        }
        RbacBinding binding = new RbacBinding(
                new ObjectKey(kind, metadata.getOrDefault("namespace", ""), metadata.getOrDefault("name", "")),
                subjects,
                new RoleRef(
                        reference.getOrDefault("apiGroup", ""),
                        reference.getOrDefault("kind", ""),
                        "",
                        reference.getOrDefault("name", "")),
                null);
        return RbacValidation.problemsOf(binding).isEmpty() ? binding : null;
    }

    /** Reads the fields below the current line, all of them plain words; then the line behind them. */
    private boolean mapping(Set<String> known, Map<String, String> fields) {
        if (!value.isEmpty() || !line() || indent == 0 || item) {
            return false;
        }
        int own = indent;
        while (!key.isEmpty() && indent == own && !item) {
            if (!known.contains(key) || value.isEmpty() || fields.put(key, value) != null || !line()) {
                return false;
            }
        }
        return indent == 0 && !item;
    }

    private boolean list(List<RbacSubject> subjects) {
        if (!value.isEmpty() || !line() || !item) {
            return false;
        }
        int own = indent;
        while (!key.isEmpty() && item && indent == own) {
            Map<String, String> fields = new HashMap<>();
            do {
                if (!SUBJECT.contains(key) || value.isEmpty() || fields.put(key, value) != null || !line()) {
                    return false;
                }
            } while (!key.isEmpty() && !item && indent == own && own > 0);
            subjects.add(new RbacSubject(
                    fields.getOrDefault("kind", ""),
                    fields.getOrDefault("apiGroup", ""),
                    fields.getOrDefault("namespace", ""),
                    fields.getOrDefault("name", "")));
        }
        return indent == 0 && !item;
    }

    /**
     * Reads the next line; at the end of the text {@link #key} is empty. The fields of a list's item are indented as the first one
     * behind its hyphen is.
     *
     * @return false where it is not of the plain kind
     */
    private boolean line() {
        key = "";
        value = "";
        item = false;
        indent = 0;
        if (at == text.length()) {
            return true;
        }
        int end = text.indexOf('\n', at);
        if (end < 0) {
            return false;
        }
        int from = at;
        while (text.charAt(from) == ' ') {
            from++;
        }
        if (text.startsWith("- ", from)) {
            item = true;
            from += 2;
        }
        indent = from - at;
        int colon = text.indexOf(':', from);
        if (colon < 0 || colon >= end) {
            return false;
        }
        key = text.substring(from, colon);
        at = end + 1;
        if (colon + 1 == end) {
            return isWord(key);
        }
        value = text.charAt(colon + 1) == ' ' ? shared(text.substring(colon + 2, end)) : "";
        return isWord(key) && isWord(value);
    }

    private String shared(String word) {
        String known = words.putIfAbsent(word, word);
        return known == null ? word : known;
    }

    /** Whether a text is a plain string whatever stands around it: it begins with a letter, and holds nothing that YAML reads otherwise. */
    private static boolean isWord(String text) {
        if (text.isEmpty() || !isLetter(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain =
                    isLetter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == '/' || c == '@';
            if (!plain && !(c == ':' && i + 1 < text.length())) {
                return false;
            }
        }
        return text.length() > LONGEST_NO_STRING || !NO_STRINGS.contains(text.toLowerCase(Locale.ROOT));
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
