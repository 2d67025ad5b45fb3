package io.plat.apiserver.rules;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Schedule of a cron job: five fields (minute, hour, day of the month, month, day of the week), or a predefined schedule. Problems are
 * worded as in kube-apiserver.
 */
public final class CronSchedule {
    private static final Set<String> WORDS =
            Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");

    private static final String EVERY = "@every ";

    private static final Pattern DURATION =
            Pattern.compile("[+-]?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+");

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    /** Bounds of a field, and names of its values starting with the lowest. */
    private record Bounds(int least, int most, List<String> names) {}

    private static final List<Bounds> FIELDS = List.of(
            new Bounds(0, 59, List.of()),
            new Bounds(0, 23, List.of()),
            new Bounds(1, 31, List.of()),
            new Bounds(1, 12, MONTHS),
            new Bounds(0, 6, DAYS));

    private static final class Problem extends Exception {
        private static final long serialVersionUID = 1;

        Problem(String detail) {
            super(detail);
        }
    }

    private CronSchedule() {}

    /** Returns the problem of a schedule; null if it is valid. */
    public static @Nullable String problem(String schedule) {
        try {
            check(schedule);
            return null;
        } catch (Problem problem) {
            return problem.getMessage();
        }
    }

    private static void check(String schedule) throws Problem {
        if (schedule.startsWith("@")) {
            checkWord(schedule);
            return;
        }
        String[] fields = schedule.strip().split("\\s+", -1);
        if (fields.length != FIELDS.size()) {
            throw new Problem("expected exactly " + FIELDS.size() + " fields, found " + fields.length + ": ["
                    + String.join(" ", fields) + "]");
        }
        for (int i = 0; i < fields.length; i++) {
            for (String range : fields[i].split(",", -1)) {
                if (!range.isEmpty()) {
                    checkRange(range, FIELDS.get(i));
                }
            }
        }
    }

    private static void checkWord(String schedule) throws Problem {
        if (schedule.startsWith(EVERY)) {
            String duration = schedule.substring(EVERY.length());
            if (!DURATION.matcher(duration).matches()) {
                throw new Problem(
                        "failed to parse duration " + schedule + ": time: invalid duration \"" + duration + '"');
            }
        } else if (!WORDS.contains(schedule)) {
            throw new Problem("unrecognized descriptor: " + schedule);
        }
    }

    private static void checkRange(String range, Bounds bounds) throws Problem {
        String[] parts = range.split("/", -1);
        String[] ends = parts[0].split("-", -1);
        boolean any = ends[0].equals("*") || ends[0].equals("?");
        if (!any && ends.length > 2) {
            throw new Problem("too many hyphens: " + range);
        }
        int first = any ? bounds.least() : number(ends[0], bounds);
        int last = any ? bounds.most() : ends.length == 2 ? number(ends[1], bounds) : first;
        int step = 1;
        if (parts.length > 2) {
            throw new Problem("too many slashes: " + range);
        }
        if (parts.length == 2) {
            step = number(parts[1]);
            last = ends.length == 1 ? bounds.most() : last;
        }
        if (first < bounds.least()) {
            throw new Problem("beginning of range (" + first + ") below minimum (" + bounds.least() + "): " + range);
        }
        if (last > bounds.most()) {
            throw new Problem("end of range (" + last + ") above maximum (" + bounds.most() + "): " + range);
        }
        if (first > last) {
            throw new Problem("beginning of range (" + first + ") beyond end of range (" + last + "): " + range);
        }
        if (step == 0) {
            throw new Problem("step of range should be a positive number: " + range);
        }
    }

    private static int number(String text, Bounds bounds) throws Problem {
        int name = bounds.names().indexOf(text.toLowerCase(Locale.ROOT));
        return name < 0 ? number(text) : bounds.least() + name;
    }

    private static int number(String text) throws Problem {
        try {
            int number = Integer.parseInt(text);
            if (number < 0) {
                throw new Problem("negative number (" + number + ") not allowed: " + text);
            }
            return number;
        } catch (NumberFormatException e) {
            throw new Problem(
                    "failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": invalid syntax");
        }
    }
}
