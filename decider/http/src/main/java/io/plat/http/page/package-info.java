/**
 * The access page at {@code /ui}: the same fixed files on every server. They have no data; the page requests it from the server, as the user of
 * the browser, by requests that are authorized like any other.
 *
 * <p>Plain modules of JavaScript and a style sheet: they are not built, and nothing is loaded from elsewhere. The files are listed in
 * {@link io.plat.http.page.AccessPage}; a path is looked up there and never used as the name of a file.
 */
@NullMarked
package io.plat.http.page;

import org.jspecify.annotations.NullMarked;
