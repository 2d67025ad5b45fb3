package io.plat.http.process;

import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Failure to start because of files or addresses of flags, with all problems. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /**
     * Creates an exception with problems for the user.
     *
     * @param problems at least one; one line each, beginning with the flag, or with file and line
     */
    public StartException(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("no problem to report");
        }
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, one line each. */
    public List<String> problems() {
        return problems;
    }

    /** Opener of a part of a program. */
    @FunctionalInterface
    public interface Opener<T> {
        T open() throws IOException, PemException, ProblemsException;
    }

    /** Collector of problems while parts are opened. Not thread-safe. */
    public static final class Collector {
        private final List<String> problems = new ArrayList<>();

        public void add(String problem) {
            problems.add(problem);
        }

        public void add(String flag, String problem) {
            problems.add(flag + ": " + problem);
        }

        /**
         * Opens a part; if its files are unusable, adds their problems and returns null.
         *
         * @param flag precedes each problem; {@code ""} if problems name a file that is enough
         */
        public <T> @Nullable T open(String flag, Opener<T> opener) {
            List<String> found;
            try {
                return opener.open();
            } catch (ProblemsException unusable) {
                found = Problem.report(unusable.problems());
            } catch (IOException | PemException unusable) {
                found = List.of(String.valueOf(unusable.getMessage()));
            }
            found.forEach(problem -> problems.add(flag.isEmpty() ? problem : flag + ": " + problem));
            return null;
        }

        /**
         * Throws if there are problems.
         *
         * @throws StartException with every problem added so far
         */
        public void throwIfAny() throws StartException {
            if (!problems.isEmpty()) {
                throw new StartException(problems);
            }
        }
    }
}
