package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interner;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RbacValidation;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Template of a binding, with slots for varying values, which recognizes similar bindings without parsing them. The template is parsed once with a
 * mark in each slot, so that the marks in the parsed binding show where each value belongs. Text that differs from the template in its slots only is
 * the same binding with other values, provided that each value can only be a plain string.
 *
 * @param rest text after the last slot
 * @param binding parsed from the text with marks in its slots
 */
record BindingTemplate(List<Slot> slots, String rest, RbacBinding binding) {
    private static final String MARK = "mark-of-a-slot-";
    private static final int MAX_SLOTS = 64;
    private static final String KEY = "(?!kind\\b|api)[\\w./-]+";
    /** The groups are the forms of a value, in this order: quoted, plain, line. */
    private static final Pattern JSON_SLOTS = Pattern.compile("\"" + KEY + "\" ?: ?\"([^\"\\\\']*+)\"");

    private static final Pattern YAML_SLOTS = Pattern.compile(
            "(?m)^[ -]*+" + KEY + ": (?:\"([^\"\\\\']*+)\"|([a-zA-Z0-9][^\\s#'\"]*+)|\\|\\n *+\\{(.*+))$");

    /** Forms of a value, each with its permitted characters, which have no special meaning in that form. */
    private enum Form {
        QUOTED("[ -~&&[^\"'\\\\]]*+", " #,{}[]&*!|"),
        PLAIN("(?!(?i:y|n|yes|no|on|off|true|false|null)\\z)[A-Za-z][\\w.:@-]*+(?<!:)", ""),
        LINE("[ -~]*+", " '\"#: ,\\"),
        /** Plain value that the binding does not contain, which may be a number. */
        UNREAD("[A-Za-z0-9][\\w.:@-]*+(?<!:)", "");

        private final Pattern strings;
        private final String suspects;

        Form(String strings, String suspects) {
            this.strings = Pattern.compile(strings);
            this.suspects = suspects;
        }
    }

    /** Position of a value. Its {@code mark} is null if the binding does not contain the value. */
    private record Slot(String before, Form form, @Nullable String mark) {}

    /**
     * Creates the template of a text; null if the text cannot serve as one.
     *
     * @param parser returns the only object of a text that begins on line 1, or null
     */
    static @Nullable BindingTemplate of(String text, boolean json, Function<String, @Nullable RbacObject> parser) {
        if (text.contains(MARK) || text.contains("/v1alpha1") || !text.chars().allMatch(c -> c < 0x7f)) {
            return null;
        }
        Matcher matcher = (json ? JSON_SLOTS : YAML_SLOTS).matcher(text);
        StringBuilder marked = new StringBuilder();
        List<Slot> slots = new ArrayList<>();
        int done = 0;
        while (matcher.find() && slots.size() < MAX_SLOTS) {
            int group = matcher.group(1) != null ? 1 : matcher.group(2) != null ? 2 : 3;
            Form form = List.of(Form.QUOTED, Form.PLAIN, Form.LINE).get(group - 1);
            String mark = MARK + (slots.size() + 10) + form.suspects;
            slots.add(new Slot(text.substring(done, matcher.start(group)), form, mark));
            marked.append(slots.getLast().before).append(mark);
            done = matcher.end(group);
        }
        String rest = text.substring(done);
        if (!text.endsWith("\n") || !(parser.apply(marked.append(rest).toString()) instanceof RbacBinding binding)) {
            return null;
        }
        String whole = binding.toString();
        slots.replaceAll(slot -> whole.contains(Objects.requireNonNull(slot.mark))
                ? slot
                : new Slot(slot.before, slot.form == Form.PLAIN ? Form.UNREAD : slot.form, null));
        BindingTemplate template = new BindingTemplate(slots, rest, binding);
        RbacBinding same = template.read(text, 0, text.length(), 1, new Interner());
        // A remaining mark belongs to a field without a slot.
        return same == null || same.toString().contains(MARK) ? null : template;
    }

    /** Returns the binding in a range of a text, or null if the range does not match this template. */
    @Nullable
    RbacBinding read(String text, int from, int to, int line, Interner strings) {
        String[] values = new String[slots.size()];
        int at = from;
        for (int i = 0; i < values.length; i++) {
            Slot slot = slots.get(i);
            int begin = at + slot.before.length();
            at = begin <= to && text.startsWith(slot.before, at)
                    ? text.indexOf(slot.form == Form.QUOTED ? '"' : '\n', begin, to)
                    : -1;
            if (at < 0) {
                return null;
            }
            String value = text.substring(begin, at);
            if (!slot.form.strings.matcher(value).matches()) {
                return null;
            }
            values[i] = slot.mark == null ? value : strings.string(value);
        }
        RbacBinding instance = at + rest.length() == to && text.startsWith(rest, at) ? filled(values, line - 1) : null;
        return instance == null || RbacValidation.problemsOf(instance).isEmpty() ? instance : null;
    }

    private RbacBinding filled(String[] values, int linesBefore) {
        ObjectKey key = binding.key();
        RoleRef ref = binding.roleRef();
        Location where = Objects.requireNonNull(binding.where());
        List<RbacSubject> subjects = new ArrayList<>(binding.subjects());
        subjects.replaceAll(subject -> new RbacSubject(
                subject.kind(),
                subject.apiGroup(),
                filled(subject.namespace(), values),
                filled(subject.name(), values)));
        return new RbacBinding(
                new ObjectKey(key.kind(), filled(key.namespace(), values), filled(key.name(), values)),
                subjects,
                new RoleRef(ref.apiGroup(), ref.kind(), ref.namespace(), filled(ref.name(), values)),
                new Location(where.file(), where.line() + linesBefore));
    }

    private String filled(String marked, String[] values) {
        if (!marked.startsWith(MARK)) {
            return marked;
        }
        int slot = Integer.parseInt(marked, MARK.length(), MARK.length() + 2, 10) - 10;
        return marked.equals(slots.get(slot).mark) ? values[slot] : marked;
    }
}
