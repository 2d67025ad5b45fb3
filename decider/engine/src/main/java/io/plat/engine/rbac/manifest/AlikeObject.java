package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RbacValidation;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The shape of an object that was read, which recognizes others that differ in a few values only. The reader of the format read its text
 * with a mark in the place of each value, so that the marks in the object show what each place means. The same text but for those places is
 * the same object with the words that stand there, as long as the words cannot mean anything else.
 *
 * @param places where the words stand
 * @param rest what stands behind the last of them
 * @param object with marks in the place of words
 * @param lines how many line ends the text has
 */
record AlikeObject(List<Place> places, String rest, RbacObject object, int lines) {
    private static final String MARK = "mark-of-a-place-";
    private static final String KEY = "(?!kind\\b|api)[\\w./-]+";
    /** A word in quotes is the first group, a plain one the second, a line of text the third. */
    private static final Pattern JSON_PLACES = Pattern.compile("\"" + KEY + "\" ?: ?\"([^\"\\\\']*+)\"");

    private static final Pattern YAML_PLACES = Pattern.compile(
            "(?m)^[ -]*+" + KEY + ": (?:\"([^\"\\\\']*+)\"|([a-zA-Z0-9][^\\s#'\"]*+)|\\|\\n *+\\{(.*+))$");

    private static final int QUOTED = 0;
    private static final int PLAIN = 1;
    private static final int LINE = 2;
    /** Characters that such words may hold: where one of them had a meaning, the text would be read otherwise. */
    private static final List<String> DOUBTFUL = List.of(" #,{}[]&*!|", "", " '\"#: ,\\");

    private static final Set<String> NO_TEXTS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    /** A word of a kind in the text, what stands before it, and whether the object has it. */
    record Place(String before, int kind, String mark, boolean read) {
        /** Whether a word is text whatever it is, or any that is not read. */
        boolean takes(String word) {
            for (int i = 0; i < word.length(); i++) {
                char c = word.charAt(i);
                if (kind == PLAIN ? !isLetterOrDigit(c) && "._:@-".indexOf(c) < 0 : c < ' ' || c >= 0x7f) {
                    return false;
                }
                if (kind == QUOTED && (c == '"' || c == '\'' || c == '\\')) {
                    return false;
                }
            }
            return kind != PLAIN || isPlain(word);
        }

        private boolean isPlain(String word) {
            boolean begins = !word.isEmpty() && isLetterOrDigit(word.charAt(0)) && !word.endsWith(":");
            boolean text = begins
                    && word.charAt(0) > '9'
                    && (word.length() > 5 || !NO_TEXTS.contains(word.toLowerCase(Locale.ROOT)));
            return text || (begins && !read);
        }

        private static boolean isLetterOrDigit(char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        }
    }

    /**
     * The shape of a text, or null where no others can be recognized by it.
     *
     * @param reader gives the object in a text that begins on the first line, or null
     */
    static @Nullable AlikeObject of(String text, boolean json, Function<String, @Nullable RbacObject> reader) {
        if (text.contains(MARK) || text.contains("/v1alpha1") || !text.chars().allMatch(c -> c < 0x7f)) {
            return null;
        }
        Matcher matcher = (json ? JSON_PLACES : YAML_PLACES).matcher(text);
        StringBuilder marked = new StringBuilder();
        List<Place> places = new ArrayList<>();
        int done = 0;
        while (matcher.find() && places.size() < 64) {
            int kind = matcher.group(1) != null ? QUOTED : matcher.group(2) != null ? PLAIN : LINE;
            String before = text.substring(done, matcher.start(kind + 1));
            places.add(new Place(before, kind, MARK + (places.size() + 10) + DOUBTFUL.get(kind), false));
            marked.append(before).append(places.getLast().mark);
            done = matcher.end(kind + 1);
        }
        String rest = text.substring(done);
        RbacObject object = reader.apply(marked.append(rest).toString());
        if (object == null || !text.endsWith("\n")) {
            return null;
        }
        String whole = object.toString();
        places.replaceAll(place -> new Place(place.before, place.kind, place.mark, whole.contains(place.mark)));
        AlikeObject alike = new AlikeObject(places, rest, object, AlikeObjects.newlines(text));
        // A mark that is left stands where no word is put.
        RbacObject same = alike.read(text, 0, text.length(), 1, new Interned());
        return same == null || same.toString().contains(MARK) ? null : alike;
    }

    /** The object in a range of a text, or null where it is not like this one. */
    @Nullable
    RbacObject read(String text, int from, int to, int line, Interned known) {
        String[] words = new String[places.size()];
        int at = from;
        for (int i = 0; i < words.length; i++) {
            Place place = places.get(i);
            int begin = at + place.before.length();
            at = begin <= to && text.startsWith(place.before, at)
                    ? text.indexOf(place.kind == QUOTED ? '"' : '\n', begin, to)
                    : -1;
            String word = at < 0 ? "" : text.substring(begin, at);
            if (at < 0 || !place.takes(word)) {
                return null;
            }
            words[i] = place.read ? known.string(word) : word;
        }
        RbacObject made = at + rest.length() == to && text.startsWith(rest, at) ? filled(words, line - 1) : null;
        return made == null || RbacValidation.problemsOf(made).isEmpty() ? made : null;
    }

    private String filled(String marked, String[] words) {
        if (!marked.startsWith(MARK)) {
            return marked;
        }
        int place = Integer.parseInt(marked, MARK.length(), MARK.length() + 2, 10) - 10;
        return places.get(place).mark.equals(marked) ? words[place] : marked;
    }

    /** The object with words in the place of marks, so many lines further down. */
    private RbacObject filled(String[] words, int down) {
        ObjectKey old = object.key();
        ObjectKey key = new ObjectKey(old.kind(), filled(old.namespace(), words), filled(old.name(), words));
        Location where = down(object.where(), down);
        return switch (object) {
            case RbacRole role -> {
                List<RbacRule> rules = new ArrayList<>(role.rules());
                rules.replaceAll(rule -> new RbacRule(
                        rule.verbs(),
                        rule.apiGroups(),
                        rule.resources(),
                        rule.resourceNames(),
                        rule.nonResourceUrls(),
                        down(rule.where(), down)));
                yield new RbacRole(key, role.labels(), rules, role.aggregation(), where);
            }
            case RbacBinding binding -> {
                List<RbacSubject> subjects = new ArrayList<>(binding.subjects());
                subjects.replaceAll(one -> new RbacSubject(
                        one.kind(), one.apiGroup(), filled(one.namespace(), words), filled(one.name(), words)));
                RoleRef ref = binding.roleRef();
                RoleRef roleRef = new RoleRef(ref.apiGroup(), ref.kind(), ref.namespace(), filled(ref.name(), words));
                yield new RbacBinding(key, subjects, roleRef, where);
            }
        };
    }

    private static Location down(@Nullable Location where, int lines) {
        Location first = Objects.requireNonNull(where);
        return new Location(first.file(), first.line() + lines);
    }
}
