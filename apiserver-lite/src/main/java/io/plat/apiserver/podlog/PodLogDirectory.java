package io.plat.apiserver.podlog;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Directory in which a container runtime keeps the logs of pods, {@code /var/log/pods} on a node. Symbolic links are followed only within
 * the directory of the pod. Thread-safe.
 */
public record PodLogDirectory(Path root) {
    /** {@code 0.log}, rotated {@code 0.log.20240102-030405}, compressed {@code 0.log.20240102-030405.gz}. */
    private static final Pattern FILE = Pattern.compile("([0-9]{1,9})\\.log(?:\\.([0-9][0-9-]{0,40}))?(\\.gz)?");

    /** Names of namespaces, pods, uids and containers. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");

    /** Maximum number of files per container, more than any runtime keeps. */
    private static final int MAX_FILES = 10_000;

    /**
     * Opens a directory.
     *
     * @throws IOException if it is not a directory
     */
    public static PodLogDirectory open(Path directory) throws IOException {
        Path root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(directory.toString());
        }
        return new PodLogDirectory(root);
    }

    public record Container(String namespace, String pod, String uid, String name) {}

    /**
     * Log of one container instance, from a start to its end.
     *
     * @param files files, earliest first; the last one may still be written to
     */
    public record Run(int number, List<Path> files) {
        public Run {
            files = List.copyOf(files);
        }

        Path last() {
            return files.getLast();
        }
    }

    /**
     * Returns the logged instances of a container, latest first.
     *
     * @throws IOException if the directory cannot be read
     */
    public List<Run> runs(Container container) throws IOException {
        List<String> names = List.of(container.namespace(), container.pod(), container.uid(), container.name());
        if (!names.stream().allMatch(name -> NAME.matcher(name).matches())) {
            return List.of();
        }
        Path directory = root.resolve(String.join("_", names.subList(0, 3))).resolve(container.name());
        var runs = new TreeMap<Integer, TreeMap<String, Path>>(Comparator.reverseOrder());
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            int count = 0;
            for (Path file : files) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (++count <= MAX_FILES && name.matches() && isInside(file)) {
                    String rotation = name.group(2) == null ? "~" : name.group(2);
                    // During compression both files exist; the uncompressed one is complete.
                    runs.computeIfAbsent(Integer.parseInt(name.group(1)), run -> new TreeMap<>())
                            .merge(rotation, file, (one, other) -> name.group(3) == null ? other : one);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        var latestFirst = new ArrayList<Run>();
        runs.forEach((number, files) -> latestFirst.add(new Run(number, List.copyOf(files.values()))));
        return latestFirst;
    }

    /** Returns whether a path is a regular file that resolves to the pod's directory. */
    private boolean isInside(Path file) {
        try {
            return Files.isRegularFile(root.resolve(belowRoot(file)));
        } catch (IOException e) {
            // Dangling link, or a removed file.
            return false;
        }
    }

    /** Returns the resolved path of a file relative to the root, starting with the pod's directory. */
    private Path belowRoot(Path file) throws IOException {
        Path real = file.toRealPath();
        if (!real.startsWith(root.resolve(root.relativize(file).getName(0)))) {
            throw new NoSuchFileException(file.toString());
        }
        return root.relativize(real);
    }

    /**
     * Opens a file, which may have been replaced since it was found.
     *
     * @throws NoSuchFileException if there is no such file in the pod's directory
     */
    InputStream read(Path file) throws IOException {
        return Channels.newInputStream(new SecureDirectory(root).open(belowRoot(file)));
    }
}
