package io.plat.http.lines;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Rotated files of a log, in the same directory, named like those of kube-apiserver's audit log: for {@code decisions.log}, {@code
 * decisions-2026-11-21T18-01-17.123.log}, by the time (UTC) of the rotation.
 */
final class Backups {
    private static final DateTimeFormatter TIMES = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss.SSS", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Path path;
    private final int maxBackups;
    private final Duration maxAge;
    private final InstantSource clock;
    private final String prefix;
    private final String suffix;

    /**
     * Creates the backups of one log.
     *
     * @param path the log
     * @param maxBackups maximum number of backups; 0 is unlimited
     * @param maxAge their maximum age; zero is unlimited
     */
    Backups(Path path, int maxBackups, Duration maxAge, InstantSource clock) {
        this.path = path;
        this.maxBackups = maxBackups;
        this.maxAge = maxAge;
        this.clock = clock;
        String name = String.valueOf(path.getFileName());
        int dot = name.lastIndexOf('.');
        prefix = (dot < 0 ? name : name.substring(0, dot)) + "-";
        suffix = dot < 0 ? "" : name.substring(dot);
    }

    /** Renames the log's closed file to a backup. */
    void add() throws IOException {
        Instant time = clock.instant();
        Path target = path.resolveSibling(name(time));
        while (Files.exists(target)) {
            time = time.plusMillis(1);
            target = path.resolveSibling(name(time));
        }
        Files.move(path, target);
    }

    /** Removes backups beyond the maximum number or age. */
    void prune() throws IOException {
        if (maxBackups == 0 && maxAge.isZero()) {
            return;
        }
        List<Path> all = list();
        int beyond = maxBackups == 0 ? 0 : Math.max(0, all.size() - maxBackups);
        // Names sort by time.
        String oldest = maxAge.isZero() ? "" : name(clock.instant().minus(maxAge));
        for (int i = 0; i < all.size(); i++) {
            Path file = all.get(i);
            if (i < beyond || String.valueOf(file.getFileName()).compareTo(oldest) < 0) {
                Files.deleteIfExists(file);
            }
        }
    }

    private String name(Instant time) {
        return prefix + TIMES.format(time) + suffix;
    }

    /** Returns all backups, oldest first. */
    private List<Path> list() throws IOException {
        Pattern names = Pattern.compile(
                Pattern.quote(prefix) + "\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}-\\d{2}\\.\\d{3}" + Pattern.quote(suffix));
        List<Path> backups = new ArrayList<>();
        Path directory = path.toAbsolutePath().getParent();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                directory,
                file -> names.matcher(String.valueOf(file.getFileName())).matches())) {
            files.forEach(backups::add);
        }
        backups.sort(Comparator.comparing(file -> String.valueOf(file.getFileName())));
        return backups;
    }
}
