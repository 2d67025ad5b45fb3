package io.plat.http.commandline;

import io.plat.http.WebOrigin;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The form of a flag's value.
 *
 * @param label what stands for the value in the help text, for example {@code FILE}
 * @param expected what a message says was expected, for example {@code a file}
 * @param parser reads a value, empty where it has not this form
 * @param <T> what a value becomes
 */
public record FlagType<T>(String label, String expected, Function<String, Optional<T>> parser) {
    /** Any text but none. */
    public static final FlagType<String> TEXT =
            new FlagType<>("TEXT", "a value", text -> text.isEmpty() ? Optional.empty() : Optional.of(text));

    /** A file or folder; whether it exists is not looked at. */
    public static final FlagType<Path> PATH = new FlagType<>("FILE", "a file", FlagType::path);

    /** A folder; whether it exists is not looked at. */
    public static final FlagType<Path> FOLDER = new FlagType<>("DIR", "a folder", FlagType::path);

    /** A length of time, see {@link Durations}. */
    public static final FlagType<Duration> DURATION =
            new FlagType<>("DURATION", "a duration such as 5m, 30s or 0s", Durations::parse);

    /** A length of time that is not zero. */
    public static final FlagType<Duration> POSITIVE_DURATION = new FlagType<>(
            "DURATION",
            "a duration longer than 0s, such as 5m or 30s",
            text -> Durations.parse(text).filter(Duration::isPositive));

    /** A port to listen on. */
    public static final FlagType<Integer> PORT = number("PORT", 0, 65535);

    /** A count, or 0. */
    public static final FlagType<Integer> COUNT = number("COUNT", 0, 1_000_000_000);

    /** A local address. */
    public static final FlagType<InetAddress> ADDRESS =
            new FlagType<>("ADDRESS", "an IP address or a host name that resolves", FlagType::address);

    /** An origin of web pages. */
    public static final FlagType<WebOrigin> ORIGIN =
            new FlagType<>("URL", "an origin such as https://console.example.com", WebOrigin::parse);

    /** Yes or no, as existing servers read them. */
    static final FlagType<Boolean> BOOLEAN = new FlagType<>("", "true or false", FlagType::bool);

    /** A whole number of a range, both ends included. */
    public static FlagType<Integer> number(String label, int least, int largest) {
        return new FlagType<>(
                label, "a number from " + least + " to " + largest, text -> parseNumber(text, least, largest));
    }

    /** One of some words. */
    public static FlagType<String> word(List<String> words) {
        return new FlagType<>(
                String.join("|", words),
                "one of " + String.join(", ", words),
                text -> words.contains(text) ? Optional.of(text) : Optional.empty());
    }

    /** The same form under another name in the help text. */
    public FlagType<T> labelled(String newLabel) {
        return new FlagType<>(newLabel, expected, parser);
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException ignored) {
            return Optional.empty();
        }
    }

    private static Optional<InetAddress> address(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException ignored) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> parseNumber(String text, int least, int largest) {
        try {
            int number = Integer.parseInt(text);
            return number < least || number > largest ? Optional.empty() : Optional.of(number);
        } catch (NumberFormatException ignored) {
            return Optional.empty();
        }
    }

    private static Optional<Boolean> bool(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> Optional.of(true);
            case "0", "f", "F", "false", "FALSE", "False" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
