/**
 * The access page at {@code /ui}: fixed files that every server serves alike. They hold no data; what the page shows it asks of the
 * server, as whoever looks at it, by requests that are authorized like any other.
 *
 * <p>Plain modules of JavaScript and a style sheet, as they are written: nothing builds them, and nothing is loaded from elsewhere. What
 * is served is listed in {@link io.plat.http.page.AccessPage}; a path is looked up there and never made into a name of a file.
 */
@NullMarked
package io.plat.http.page;

import org.jspecify.annotations.NullMarked;
