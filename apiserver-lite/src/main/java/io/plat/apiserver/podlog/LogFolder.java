package io.plat.apiserver.podlog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder in which a container runtime keeps the logs of pods, {@code /var/log/pods} on a node. A link is followed to where it leads
 * within the folder of the pod, and nowhere else. For any number of threads.
 */
public final class LogFolder {
    /** {@code 0.log}, rotated {@code 0.log.20240102-030405}, compressed {@code 0.log.20240102-030405.gz}. */
    private static final Pattern FILE = Pattern.compile("([0-9]{1,9})\\.log(?:\\.([0-9][0-9-]{0,40}))?(\\.gz)?");

    /** Names of namespaces, pods, uids and containers. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");

    /** More than a runtime keeps of one container. */
    private static final int MOST_FILES = 10_000;

    private final Path root;

    private LogFolder(Path root) {
        this.root = root;
    }

    /**
     * A folder.
     *
     * @throws IOException if it is none
     */
    public static LogFolder open(Path folder) throws IOException {
        Path root = folder.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(folder.toString());
        }
        return new LogFolder(root);
    }

    /**
     * A container of a pod.
     *
     * @param namespace the pod's namespace
     * @param pod its name
     * @param uid its uid
     * @param name the container's name
     */
    public record Container(String namespace, String pod, String uid, String name) {}

    /**
     * What a container wrote from one start to its end.
     *
     * @param number how often it was started before
     * @param files the earliest first; the last one may still be written to
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
     * The runs of a container of which there is a log, the latest first.
     *
     * @throws IOException if the folder can't be read
     */
    public List<Run> runs(Container container) throws IOException {
        List<String> names = List.of(container.namespace(), container.pod(), container.uid(), container.name());
        if (!names.stream().allMatch(name -> NAME.matcher(name).matches())) {
            return List.of();
        }
        Path folder = root.resolve(String.join("_", names.subList(0, 3))).resolve(container.name());
        var runs = new TreeMap<Integer, TreeMap<String, Path>>(Comparator.reverseOrder());
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            int seen = 0;
            for (Path file : files) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (++seen <= MOST_FILES && name.matches() && isInside(file)) {
                    String when = name.group(2) == null ? "~" : name.group(2);
                    // While a file is compressed there are both; the plain one is whole.
                    runs.computeIfAbsent(Integer.parseInt(name.group(1)), run -> new TreeMap<>())
                            .merge(when, file, (one, other) -> name.group(3) == null ? other : one);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        var latestFirst = new ArrayList<Run>();
        runs.forEach((number, files) -> latestFirst.add(new Run(number, List.copyOf(files.values()))));
        return latestFirst;
    }

    /** Returns whether a file is one, and lies in the pod's folder once links are followed. */
    private boolean isInside(Path file) {
        try {
            return Files.isRegularFile(root.resolve(belowRoot(file)));
        } catch (IOException e) {
            // A link that leads nowhere, or a file that has gone.
            return false;
        }
    }

    /** Returns where a file is once links are followed, as names below the root of which the first is the pod's folder. */
    private Path belowRoot(Path file) throws IOException {
        Path real = file.toRealPath();
        if (!real.startsWith(root.resolve(root.relativize(file).getName(0)))) {
            throw new NoSuchFileException(file.toString());
        }
        return root.relativize(real);
    }

    /**
     * Reads a file, which may be another one by now than when it was found. It is opened from one open folder to the next, following no link,
     * so that whoever writes to the pod's folder can't exchange a part of the way.
     *
     * @throws NoSuchFileException if there is none in the pod's folder
     */
    InputStream read(Path file) throws IOException {
        try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
            if (top instanceof SecureDirectoryStream<Path> folder) {
                return open(folder, belowRoot(file));
            }
            throw new IOException("this system can't open files below an open folder");
        }
    }

    private static InputStream open(SecureDirectoryStream<Path> folder, Path below) throws IOException {
        Path name = below.getName(0);
        if (below.getNameCount() > 1) {
            try (var next = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                return open(next, below.subpath(1, below.getNameCount()));
            }
        }
        if (!folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isRegularFile()) {
            throw new NoSuchFileException(name.toString());
        }
        return Channels.newInputStream(
                folder.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
    }
}
