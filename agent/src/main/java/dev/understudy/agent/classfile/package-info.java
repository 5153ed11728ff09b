/**
 * Class files that are changed where something is put in, and copied everywhere else, without being taken apart first.
 *
 * <pre>
 *   bytes ──▶ ClassFile ──▶ CodeEdit: pieces between instructions ──▶ bytes
 *                │              ├── FrameReader ──▶ FrameEdit
 *                └── PoolTail: constants behind those that are there
 * </pre>
 *
 * <p>What isn't known here is refused ({@link dev.understudy.agent.classfile.UnusualClassFile}), so that whoever can do
 * more does it.
 */
@NullMarked
package dev.understudy.agent.classfile;

import org.jspecify.annotations.NullMarked;
