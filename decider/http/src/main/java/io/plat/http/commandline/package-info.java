/**
 * A server's command line: long flags, declared once, read all together. Every problem is found before any is told. Help is a text beside the
 * program, from which the declarations take what a flag is called and its default. Flags look and behave as existing servers' do.
 *
 * <p>Only the form of values is judged here. Whether a named file exists is for whoever opens it.
 */
@NullMarked
package io.plat.http.commandline;

import org.jspecify.annotations.NullMarked;
