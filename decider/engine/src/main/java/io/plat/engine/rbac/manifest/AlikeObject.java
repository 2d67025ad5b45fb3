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
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An object that was read, for recognizing others that differ in a few values only. The reader of the format read its text with a mark in
 * the place of each value, so that the marks in the object say what each place means. The same bytes but for those places are the same
 * object with the words that stand there, as long as the words cannot mean anything else. For one thread.
 */
final class AlikeObject {
    private static final String MARK = "mark-of-a-place-";
    /** The number of the first mark: all have two digits. */
    private static final int FIRST = 10;

    private static final String KEY = "(?!kind\\b|api)[\\w./-]+";
    private static final Pattern JSON_PLACES = Pattern.compile("\"" + KEY + "\" ?: ?\"(?<quoted>[^\"\\\\']*+)\"");
    private static final Pattern YAML_PLACES = Pattern.compile("(?m)^[ -]*+" + KEY
            + ": (?:\"(?<quoted>[^\"\\\\']*+)\"|(?<plain>[a-zA-Z0-9][^\\s#'\"]*+)|\\|\\n *+\\{(?<line>.*+))$");

    private final byte[] text;
    private final List<Place> places;
    private final RbacObject object;
    private final int lines;
    private final String[] words;
    private int end;
    private boolean special;

    /** A range of the text, and what stands there: a quoted text, a plain word or a line of text. */
    private record Place(int from, int to, String group, String mark, boolean read) {}

    private AlikeObject(String text, List<Place> places, RbacObject object) {
        this.text = text.getBytes(StandardCharsets.ISO_8859_1);
        this.places = places;
        this.object = object;
        this.lines = (int) text.chars().filter(c -> c == '\n').count();
        this.words = new String[places.size()];
        Arrays.fill(words, "w");
    }

    /** What a text is like, if others can be recognized by it. */
    static Optional<AlikeObject> of(String text, boolean json) {
        if (text.contains(MARK) || text.contains("/v1alpha1") || !text.chars().allMatch(c -> c < 0x7f)) {
            return Optional.empty();
        }
        Matcher matcher = (json ? JSON_PLACES : YAML_PLACES).matcher(text);
        StringBuilder marked = new StringBuilder();
        List<Place> places = new ArrayList<>();
        int done = 0;
        while (matcher.find() && places.size() < 64) {
            boolean quoted = json || matcher.group("quoted") != null;
            String group = quoted ? "quoted" : matcher.group("plain") != null ? "plain" : "line";
            // With what such words may hold: where that would mean something, the text reads otherwise.
            String doubtful = quoted ? " #,{}[]&*!|" : group.equals("line") ? " '\"#: ,\\" : "";
            String mark = MARK + (places.size() + FIRST) + doubtful;
            places.add(new Place(matcher.start(group), matcher.end(group), group, mark, false));
            marked.append(text, done, matcher.start(group)).append(mark);
            done = matcher.end(group);
        }
        marked.append(text, done, text.length());
        RbacManifestReader reader = new RbacManifestReader();
        try {
            reader.addDocuments(new SourceReader.Parts("", json).read(1, marked.toString()));
        } catch (ProblemsException _) {
            return Optional.empty();
        }
        RbacObject object = reader.only();
        if (object == null || (!json && !text.endsWith("\n"))) {
            return Optional.empty();
        }
        String whole = object.toString();
        places.replaceAll(p -> new Place(p.from, p.to, p.group, p.mark, whole.contains(p.mark)));
        AlikeObject alike = new AlikeObject(text, places, object);
        RbacObject filled = alike.filled("", 0);
        // A mark that is left stands where no word is put.
        return filled == null || filled.toString().contains(MARK) ? Optional.empty() : Optional.of(alike);
    }

    /** The object that begins at a place, or null where it is not like this one. */
    @Nullable
    RbacObject read(String file, byte[] bytes, int from, int limit, int line, Interned known) {
        int mine = 0;
        int there = from;
        special = false;
        for (int i = 0; i < words.length; i++) {
            Place place = places.get(i);
            int to = there + place.from - mine;
            if (to > limit || !Arrays.equals(text, mine, place.from, bytes, there, to)) {
                return null;
            }
            there = word(place, i, bytes, to, limit, known);
            if (there < 0) {
                return null;
            }
            mine = place.to;
        }
        end = there + text.length - mine;
        return end <= limit && Arrays.equals(text, mine, text.length, bytes, there, end)
                ? filled(file, line - 1)
                : null;
    }

    /** Where the text ends that was read last. */
    int end() {
        return end;
    }

    /** How many line ends stand in it. */
    int lines() {
        return lines;
    }

    /** Takes a word that is a string whatever it is, or any that is not read; returns where it ends, or -1. */
    private int word(Place place, int position, byte[] bytes, int from, int limit, Interned known) {
        boolean plain = place.group.equals("plain");
        boolean quoted = place.group.equals("quoted");
        int at = from;
        while (at < limit && (plain ? isPlain(bytes[at]) : isText(bytes[at], quoted))) {
            byte c = bytes[at++];
            special |= c == '/' || c == '%' || c == ':';
        }
        special |= at == from || bytes[from] == '.';
        if (plain && (at == from || !isLetterOrDigit(bytes[from]) || bytes[at - 1] == ':')) {
            return -1;
        }
        if (place.read) {
            words[position] = known.string(new String(bytes, from, at - from, StandardCharsets.ISO_8859_1));
        }
        return place.read && plain && !isString(words[position]) ? -1 : at;
    }

    private static boolean isText(byte c, boolean quoted) {
        return c >= ' ' && c < 0x7f && (!quoted || (c != '"' && c != '\'' && c != '\\'));
    }

    private static boolean isPlain(byte c) {
        return isLetterOrDigit(c) || c == '-' || c == '.' || c == ':' || c == '_' || c == '@';
    }

    private static boolean isLetterOrDigit(byte c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** Whether a plain word is beyond doubt neither a number nor a boolean nor null. */
    private static boolean isString(String word) {
        return word.charAt(0) > '9'
                && (word.length() > 5
                        || switch (word.toLowerCase(Locale.ROOT)) {
                            case "y", "n", "yes", "no", "on", "off", "true", "false", "null" -> false;
                            default -> true;
                        });
    }

    private String filled(String marked) {
        if (!marked.startsWith(MARK)) {
            return marked;
        }
        int place = Integer.parseInt(marked, MARK.length(), MARK.length() + 2, 10) - FIRST;
        return places.get(place).mark.equals(marked) ? words[place] : marked;
    }

    /** The object with words in the place of marks, so many lines further down; null where it is not a valid one. */
    private @Nullable RbacObject filled(String file, int down) {
        ObjectKey old = object.key();
        ObjectKey key = new ObjectKey(old.kind(), filled(old.namespace()), filled(old.name()));
        Location where = down(file, object.where(), down);
        RbacObject made = switch (object) {
            case RbacRole role -> new RbacRole(key, role.labels(), rules(role, file, down), role.aggregation(), where);
            case RbacBinding binding -> {
                RoleRef ref = binding.roleRef();
                RoleRef roleRef = new RoleRef(ref.apiGroup(), ref.kind(), ref.namespace(), filled(ref.name()));
                yield new RbacBinding(key, subjects(binding), roleRef, where);
            }
        };
        // With words like the marks the object is as valid as with those.
        return !special || RbacValidation.problemsOf(made).isEmpty() ? made : null;
    }

    private static Location down(String file, @Nullable Location where, int lines) {
        return new Location(file, Objects.requireNonNull(where).line() + lines);
    }

    private List<RbacSubject> subjects(RbacBinding binding) {
        List<RbacSubject> subjects = new ArrayList<>(binding.subjects().size());
        for (RbacSubject one : binding.subjects()) {
            subjects.add(new RbacSubject(one.kind(), one.apiGroup(), filled(one.namespace()), filled(one.name())));
        }
        return subjects;
    }

    private static List<RbacRule> rules(RbacRole role, String file, int down) {
        List<RbacRule> rules = new ArrayList<>(role.rules().size());
        for (RbacRule one : role.rules()) {
            Location where = down(file, one.where(), down);
            rules.add(new RbacRule(
                    one.verbs(), one.apiGroups(), one.resources(), one.resourceNames(), one.nonResourceUrls(), where));
        }
        return rules;
    }
}
