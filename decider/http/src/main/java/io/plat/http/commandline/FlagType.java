package io.plat.http.commandline;

import io.plat.http.WebOrigin;
import io.plat.review.source.Durations;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Type of a flag's value.
 *
 * @param expected description for messages, for example {@code a file}
 * @param parser parses a value, empty if it is invalid
 * @param <T> the type of the value
 */
public record FlagType<T>(String expected, Function<String, Optional<T>> parser) {
    /** Any non-empty text. */
    public static final FlagType<String> TEXT =
            new FlagType<>("a value", text -> text.isEmpty() ? Optional.empty() : Optional.of(text));

    /** A file or directory, which need not exist. */
    public static final FlagType<Path> PATH = new FlagType<>("a file", FlagType::path);

    /** A directory, which need not exist. */
    public static final FlagType<Path> DIRECTORY = new FlagType<>("a directory", FlagType::path);

    /** A duration, see {@link Durations}. */
    public static final FlagType<Duration> DURATION =
            new FlagType<>("a duration such as 5m, 30s or 0s", Durations::parse);

    /** A duration that is not zero. */
    public static final FlagType<Duration> POSITIVE_DURATION = new FlagType<>(
            "a duration longer than 0s, such as 5m or 30s",
            text -> Durations.parse(text).filter(Duration::isPositive));

    public static final FlagType<Integer> PORT = number(0, 65535);

    public static final FlagType<Integer> COUNT = number(0, 1_000_000_000);

    public static final FlagType<InetAddress> ADDRESS =
            new FlagType<>("an IP address or a host name that resolves", FlagType::address);

    public static final FlagType<WebOrigin> ORIGIN =
            new FlagType<>("an origin such as https://console.example.com", WebOrigin::parse);

    /** The name of a header field: a token (RFC 9110, section 5.1). */
    public static final FlagType<String> HEADER_NAME = new FlagType<>(
            "the name of a header field",
            text -> Optional.of(text).filter(name -> name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")));

    /** A boolean, as in Kubernetes' flags. */
    static final FlagType<Boolean> BOOLEAN = new FlagType<>("true or false", FlagType::bool);

    /** Returns the type of a choice of two words, or true and false instead of them. */
    public static FlagType<Boolean> either(String yes, String no) {
        return new FlagType<>(
                yes + " or " + no,
                text -> text.equals(yes) ? Optional.of(true) : text.equals(no) ? Optional.of(false) : bool(text));
    }

    /** Returns the type of integers in a range, both ends included. */
    public static FlagType<Integer> number(int least, int largest) {
        return new FlagType<>("a number from " + least + " to " + largest, text -> parseNumber(text, least, largest));
    }

    /** Returns the type of an enum's constants: their names in lower case, with hyphens. */
    public static <E extends Enum<E>> FlagType<E> of(Class<E> type) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : type.getEnumConstants()) {
            words.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
        }
        return new FlagType<>(
                "one of " + String.join(", ", words.keySet()), text -> Optional.ofNullable(words.get(text)));
    }

    public static FlagType<String> word(List<String> words) {
        return new FlagType<>(
                "one of " + String.join(", ", words),
                text -> words.contains(text) ? Optional.of(text) : Optional.empty());
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
